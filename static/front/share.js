// Share: a link to the state that is shown, and the code for a frame in another page.

import { createCopy } from "./copying.js";
import { make, makeSelect, setAttribute, setOptions, setText } from "./elements.js";
import { isShown, keepFocus } from "./focus.js";
import { frameCode, frameHeight, markdownCode, mystCode } from "./frame_codes.js";
import { isAsked } from "./parts.js";
import { titleOf } from "./sentences.js";

const FILE = "overlap.html";
const FORMS = { html: markdownCode, myst: mystCode };

/**
 * A button and the panel that it opens. `place` says where the page stands, as `mount` has
 * it; `heightOf()` is the height of the page without the panel. `show(view)` follows.
 * `turn()` opens or closes it where the button may be folded away, with focus on what is
 * seen of it, or again where that was; `close()` is false where it isn't open.
 */
export function createShare(config, context, place, heightOf) {
  const { words, id } = context;
  const { parts, panel, saving } = sharePanel(context, place, draw);
  const button = make("button", {
    type: "button", class: "overlap-share-button", "aria-expanded": "false",
    "aria-controls": panel.id, click: () => open(panel.hidden),
  }, words("share.open"));
  let view = null;
  let back = button; // what had focus before

  function open(isOpen) {
    panel.hidden = !isOpen;
    setAttribute(button, "aria-expanded", String(isOpen));
    draw();
  }
  function draw() {
    if (panel.hidden || !view) return;
    drawPanel(parts, frameTitle(words, config, view), view.address, place, heightOf());
  }
  function close() {
    if (panel.hidden) return false;
    keepFocus(panel, () => open(false), button, back);
    return true;
  }
  function turn() {
    if (close()) return;
    back = button.getRootNode().activeElement ?? button;
    open(true);
    [button, panel].find(isShown).focus();
  }
  function leave(event) {
    if (event.key === "Escape" && close()) event.stopPropagation();
  }
  for (const element of [button, panel]) element.addEventListener("keydown", leave);
  return {
    button,
    panel,
    close,
    turn,
    show(shown) {
      view = shown;
      saving.show();
      if (isAsked(view.state, "controls.share")) draw();
      else if (!panel.hidden) open(false);
    },
  };
}

/** The panel, closed; `redraw()` hears that another form is wanted. */
function sharePanel(context, place, redraw) {
  const { words, id } = context;
  const form = makeSelect(id("share-form"), words("share.form"), () => redraw());
  setOptions(form.select, Object.keys(FORMS).map((name) => [name, words(`share.form.${name}`)]), "html");
  const link = createCopy("link", words("share.link"), context);
  const frame = createCopy("frame", words("share.frame"), context);
  const text = createCopy("text", words("share.text"), context, form.element);
  const hint = (key) => make("p", { class: "overlap-hint" }, words(key));
  const [where, beside] = [hint("share.no_address"), hint("share.beside")];
  const saving = createSaving(context, place);
  const title = make("h2", { id: id("share-title") }, words("share.title"));
  const panel = make("section",
    { id: id("share"), class: "overlap-share", "aria-labelledby": title.id, tabindex: -1, hidden: true },
    title, where, link.element, frame.element, text.element, beside, saving.element);
  return { parts: { link, frame, text, form, where, beside }, panel, saving };
}

function drawPanel({ link, frame, text, form, where, beside }, title, address, place, content_px) {
  const url = place.link(address);
  const source = sourceOf(url, address, place);
  const shown = { title, source, height_px: frameHeight(content_px) };
  where.hidden = url !== null;
  beside.hidden = !source.startsWith(`${FILE}#`);
  link.show(url ?? `#${address}`);
  frame.show(frameCode(shown));
  text.show(FORMS[form.select.value](shown));
}

/** What a frame shows: a file beside the page that holds it, unless this page is on the web. */
function sourceOf(url, address, { canExport }) {
  if (url === null || canExport) return `${FILE}#${address}`;
  const { protocol, pathname } = new URL(url);
  return protocol === "file:" ? `${pathname.split("/").at(-1)}#${address}` : url;
}

function frameTitle(words, { scenarios }, view) {
  const { mode } = view.state;
  const what = (mode === "explore" && titleOf(words, scenarios, view)) || words(`mode.${mode}`);
  return words("share.frame_title", { title: words("title"), what });
}

/** The page as a file, where the driver can make one. */
function createSaving({ words, outbox }, { canExport }) {
  let asked = null;
  const status = make("p", { role: "status", class: "overlap-hint" }, words("share.export.hint"));
  const button = make("button", { type: "button", click: save }, words("share.export"));
  function save() {
    asked = outbox.post({ type: "export" });
    setText(status, words("share.export.making"));
  }
  return {
    element: make("div", { class: "overlap-saving", hidden: !canExport }, button, status),
    show() {
      if (asked === null || !outbox.isIdle()) return;
      asked = null;
      setText(status, words("share.export.hint"));
    },
  };
}
