// Sentences that need attention: clamped values, unknown keys, files that don't load.

import { make, makeEnglish } from "./elements.js";
import { controlText, kindOf } from "./measures.js";
import { saidText } from "./said.js";

const GOOD_NEWS = "classes.opened"; // nothing is wrong: something was done

/**
 * A status area; each notice is shown once and goes when dismissed. A notice is a sentence
 * as data, or {text} as the loaders wrote it. `kept` are those of the front itself and of
 * the files that were opened last, which stay where the page is built anew: {own, ofBatch}.
 */
export function createNotices(words, kept = { own: [], ofBatch: [] }) {
  const list = make("ul", { class: "overlap-notices" });
  const element = make("div", { role: "status", "aria-atomic": "false", tabindex: -1 }, list);
  const dismissed = new Set();
  const textOf = (notice) => noticeText(words, notice);
  const isIn = (notices, text) => notices.some((one) => textOf(one) === text);
  let shown = "";
  let given = [];
  let rows = new Map(); // by their text

  function draw() {
    const byText = new Map([...given, ...kept.own].map((notice) => [textOf(notice), notice]));
    const texts = [...new Set([...kept.own, ...given].map(textOf))].filter((text) => !dismissed.has(text));
    if (texts.join("\n") === shown) return;
    shown = texts.join("\n");
    const now = texts.map((text) => rows.get(text) ?? row(text, byText.get(text)));
    rows = new Map(texts.map((text, at) => [text, now[at]]));
    keepRows(list, now);
  }
  function tell(notice) {
    const text = textOf(notice);
    dismissed.delete(text);
    if (!isIn(kept.own, text)) kept.own.push(notice);
    draw();
  }
  function row(text, notice) {
    const dismiss = () => {
      dismissed.add(text);
      forget([notice]);
      (list.querySelector("button") ?? element).focus();
    };
    return make(
      "li",
      notice.key === GOOD_NEWS ? { class: "overlap-done" } : {},
      ownText(notice) === undefined ? make("span", {}, text) : makeEnglish(words, text),
      make("button", { type: "button", click: dismiss }, words("notice.dismiss")),
    );
  }
  function forget(gone) {
    const texts = gone.map(textOf);
    kept.own = kept.own.filter((one) => !texts.includes(textOf(one)));
    draw();
  }
  draw();
  return {
    element,
    show(notices) {
      given = [...notices];
      for (const text of dismissed) if (!isIn(given, text)) dismissed.delete(text);
      draw();
    },
    tell,
    /** What is said of a file stays until others are opened; the driver's own, if none. */
    keep(notices = given.filter((one) => !dismissed.has(textOf(one)))) {
      kept.ofBatch.push(...notices);
      notices.forEach(tell);
    },
    /** Other files are opened: what was said of those before goes. */
    startBatch() {
      const gone = kept.ofBatch;
      kept.ofBatch = [];
      given = given.filter((one) => !isIn(gone, textOf(one)));
      forget(gone);
    },
    forget: (notice) => forget([notice]),
  };
}

/** What a loader or the server wrote itself. */
function ownText({ text, values = {} }) {
  return text ?? values.text;
}

/** Show these rows in their order; those that stay aren't touched, and so not heard again. */
function keepRows(list, rows) {
  for (const row of [...list.children]) if (!rows.includes(row)) row.remove();
  for (const [at, row] of rows.entries()) {
    if (list.children[at] !== row) list.insertBefore(row, list.children[at] ?? null);
  }
}

function noticeText(words, notice) {
  if (ownText(notice) !== undefined) return ownText(notice);
  const { key, values = {} } = notice;
  const named = `name.${values.key}`;
  const name = words.has(named) ? words(named) : values.key;
  const used = usedText(words, values);
  return saidText(words, { key, values: { name, ...values, ...(used === undefined ? {} : { used }) } });
}

/** The value that is used instead, which only some notices have. */
function usedText(words, { key, used }) {
  if (typeof used !== "number") return used;
  return kindOf(key) ? controlText(words, key, used) : String(used);
}
