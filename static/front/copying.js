// A text to copy: its field, and a button that copies it or says why it can't.

import { make, setText } from "./elements.js";

const IS_MAC = /^(Mac|iP)/.test(globalThis.navigator?.platform ?? "");

/** `name` is what the text is; `show(text)` sets it. `head` stands above it, or its name. */
export function createCopy(key, name, { words, id }, head) {
  const field = make("textarea", {
    id: id(`copy-${key}`), class: "overlap-code", readonly: true, rows: 3,
    spellcheck: "false", "aria-label": head ? name : null,
  });
  const status = make("p", { role: "status", class: "overlap-hint" });
  const button = make("button",
    { type: "button", "aria-label": words("share.copy_of", { name }), click: copy },
    words("share.copy"));

  async function copy() {
    const text = field.value;
    setText(status, "");
    const isCopied = await written(text);
    if (!isCopied) {
      field.focus();
      field.select();
    }
    const keys = IS_MAC ? "⌘C" : "Ctrl+C";
    setText(status, isCopied ? words("share.copied") : words("share.blocked", { keys }));
  }
  return {
    element: make("div", { class: "overlap-copy" },
      head ?? make("label", { for: field.id }, name), status,
      make("div", { class: "overlap-copy-row" }, field, button)),
    show(text) {
      if (field.value === text) return;
      field.value = text;
      setText(status, "");
    },
  };
}

/** Whether the clipboard took it: a frame, a file or an old browser may have none. */
async function written(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
