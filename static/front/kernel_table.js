// The kernel names of a step with what they count as: a table whose classes can be chosen
// where the driver takes edits, else read.

import { make, setAttribute, setOptions, setText } from "./elements.js";
import { timeText, wholeText } from "./quantities.js";

const CLASS_NAMES = ["compute", "communication", "other"];
const LOADED = "loaded";
const COLUMNS = [["name", "name"], ["class", "text"], ["count", "number"], ["time", "number"]];

/** The scrolling table. `show(kernels)` keeps the row of a name where the reader is in it. */
export function createKernelTable({ words, outbox }, canEdit) {
  const body = make("tbody");
  const head = make("tr", {}, ...COLUMNS.map(([key, kind]) =>
    make("th", { scope: "col", class: `overlap-cell-${kind}` }, words(`column.${key}`))));
  const rows = new Map();
  const createRow = canEdit ? createEditedRow : createReadRow;

  function show(kernels) {
    const now = keyed(kernels).map(([key, kernel]) => {
      if (!rows.has(key)) rows.set(key, createRow(kernel.name, words, outbox));
      rows.get(key).show(kernel);
      return rows.get(key).element;
    });
    if (!isSame(now, body.children)) placeRows(body, now);
    for (const [key, { element }] of rows) if (!element.isConnected) rows.delete(key);
  }
  return {
    element: make("div",
      { class: "overlap-scroller", role: "region", "aria-label": words("table.kernels"), tabindex: 0 },
      make("table", {}, make("thead", {}, head), body)),
    show,
  };
}

/** Each row with a key of its own: a name has one row for each kind that it counts as. */
function keyed({ name, kind, loaded, count, time_s }) {
  const met = new Map();
  return name.map((text, at) => {
    const nth = (met.get(text) ?? 0) + 1;
    met.set(text, nth);
    return [`${nth} ${text}`,
      { name: text, kind: kind[at], loaded: loaded[at], count: count[at], time_s: time_s[at] }];
  });
}

function isSame(wanted, found) {
  return wanted.length === found.length && wanted.every((row, at) => row === found[at]);
}

/** Rows that move take the reader's focus along. */
function placeRows(body, rows) {
  const focused = body.getRootNode().activeElement;
  const isInside = focused && body.contains(focused);
  body.replaceChildren(...rows);
  if (isInside && focused.isConnected) focused.focus();
}

function createReadRow(name, words) {
  const kind = make("td", { class: "overlap-cell-text" });
  const row = rowOf(name, kind);
  return {
    element: row.element,
    show(kernel) {
      row.show(kernel);
      setText(kind, words(`class.${kernel.kind}`));
    },
  };
}

function createEditedRow(name, words, outbox) {
  const slot = `class ${name}`;
  const change = ({ target }) => outbox.postLatest(slot, { type: "class", name, value: target.value });
  const select = make("select",
    { class: "overlap-select", "aria-label": words("classes.of", { name }), change });
  const row = rowOf(name, make("td", { class: "overlap-cell-text" }, select));
  return {
    element: row.element,
    show(kernel) {
      row.show(kernel);
      if (!outbox.isSettled(slot)) return;
      const { kind, loaded } = kernel;
      setOptions(select, optionsOf(words, loaded), kind === loaded ? LOADED : kind);
      setAttribute(row.element, "class", kind === loaded ? null : "overlap-changed");
    },
  };
}

/** What a name may count as; as it was loaded first, and said to be that. */
function optionsOf(words, loaded) {
  const others = CLASS_NAMES.filter((kind) => kind !== loaded).map((kind) => [kind, words(`class.${kind}`)]);
  const text = loaded === null
    ? words("class.loaded_apart")
    : words("class.loaded", { class: words(`class.${loaded}`) });
  return [[LOADED, text], ...others];
}

function rowOf(name, kind) {
  const [count, time] = ["number", "number"].map((cell) => make("td", { class: `overlap-cell-${cell}` }));
  const title = make("td", { class: "overlap-cell-name" }, make("bdi", { title: name }, name));
  return {
    element: make("tr", {}, title, kind, count, time),
    show(kernel) {
      setText(count, wholeText(kernel.count));
      setText(time, timeText(kernel.time_s));
    },
  };
}
