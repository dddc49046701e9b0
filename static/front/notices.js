// Sentences that need attention: clamped values, unknown keys, files that don't load.

import { make } from "./elements.js";
import { controlText, kindOf } from "./measures.js";

const GOOD_NEWS = "notice.done"; // nothing is wrong: something was done

/** A status area; each notice is shown once and goes when dismissed. */
export function createNotices(words) {
  const list = make("ul", { class: "overlap-notices" });
  const element = make("div", { role: "status", tabindex: -1 }, list);
  const dismissed = new Set();
  let shown = "";
  let own = [];
  let given = [];
  let ofBatch = []; // of the files that were opened last
  const done = new Set();

  function draw() {
    const texts = [...new Set([...own, ...given])].filter((text) => !dismissed.has(text));
    if (texts.join("\n") === shown) return;
    shown = texts.join("\n");
    list.replaceChildren(...texts.map(row));
  }
  function tell(text) {
    dismissed.delete(text);
    if (!own.includes(text)) own.push(text);
    draw();
  }
  function row(text) {
    const dismiss = () => {
      dismissed.add(text);
      own = own.filter((one) => one !== text);
      draw();
      (list.querySelector("button") ?? element).focus();
    };
    return make(
      "li",
      done.has(text) ? { class: "overlap-done" } : {},
      make("span", {}, text),
      make("button", { type: "button", click: dismiss }, words("notice.dismiss")),
    );
  }
  function forget(gone) {
    own = own.filter((one) => !gone.includes(one));
    draw();
  }
  return {
    element,
    show(notices) {
      for (const notice of notices) if (notice.key === GOOD_NEWS) done.add(noticeText(words, notice));
      given = notices.map((notice) => noticeText(words, notice));
      for (const text of dismissed) if (!given.includes(text)) dismissed.delete(text);
      draw();
    },
    tell,
    /** What is said of a file stays until others are opened; the driver's own, if none. */
    keep(texts = given.filter((text) => !dismissed.has(text))) {
      ofBatch.push(...texts);
      for (const text of texts) tell(text);
    },
    /** Other files are opened: what was said of those before goes. */
    startBatch() {
      const gone = ofBatch;
      ofBatch = [];
      given = given.filter((text) => !gone.includes(text));
      forget(gone);
    },
    forget: (text) => forget([text]),
  };
}

function noticeText(words, { key, values = {}, text = values.text }) {
  if (text !== undefined) return text;
  const named = `name.${values.key}`;
  const name = words.has(named) ? words(named) : values.key;
  return words(key, { ...values, name, used: usedText(words, values) });
}

/** The value that is used instead, which only some notices have. */
function usedText(words, { key, used }) {
  if (typeof used !== "number") return used;
  return kindOf(key) ? controlText(words, key, used) : String(used);
}
