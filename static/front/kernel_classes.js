// What kernels count as: the table of their names, a search in it, and the edits made.

import { createCsv } from "./csv.js";
import { make, setAttribute, setText } from "./elements.js";
import { keepFocus } from "./focus.js";
import { createKernelTable } from "./kernel_table.js";
import { wholeText } from "./quantities.js";
import { savedColumns } from "./tables.js";

/**
 * `element` folds the table away; `choice` is whether copies between GPUs count, for the
 * page to show where a recording has any. Without `canEdit` all of it is only read.
 */
export function createKernelClasses(context, canEdit) {
  const { words } = context;
  const table = createKernelTable(context, canEdit);
  const search = createSearch(context, canEdit, redraw);
  const edits = canEdit ? createEdits(context, table.element) : null;
  const choice = createPeerCopies(context);
  const note = make("p", { class: "overlap-hint" });
  const counts = make("span", { class: "overlap-hint" });
  const csv = createCsv("kernels", words("table.kernels"),
    () => savedColumns(listed(), "name", "kind:class", "count", "time_s"), context);
  const hint = make("p", { class: "overlap-hint" }, words("classes.hint"));
  const element = make("details", { class: "overlap-table overlap-classes", toggle: redraw },
    make("summary", {}, words("table.kernels"), " ", counts),
    ...(canEdit ? [hint] : []), search.element, table.element, note, csv.element,
    ...(edits ? [edits.element] : []));
  let shown = null;

  function sayCounts(kinds) {
    const texts = Object.entries(kinds).map(([kind, count]) => [kind, wholeText(count)]);
    setText(counts, words("classes.counts", Object.fromEntries(texts)));
  }
  const listed = () => (canEdit ? shown.kernels : holding(shown.kernels, search.text()));
  function redraw() {
    if (!shown || !element.open) return;
    const kernels = listed();
    table.show(kernels);
    setAttribute(note, "role", search.text().trim() ? "status" : null); // what was asked for
    setText(note, noteText(words, kernels, search.text()));
    csv.refresh();
  }
  return {
    element,
    choice: make("div", {}, choice.element), // the page may hide it, and so may we
    show(measured) {
      shown = measured;
      sayCounts(measured.kinds);
      search.show(measured.classes);
      choice.show(measured.classes, canEdit);
      edits?.show(measured.classes);
      redraw();
    },
  };
}

function noteText(words, { name: { length: shown }, kernels_total: total = shown }, search) {
  const values = { shown: wholeText(shown), total: wholeText(total), search };
  if (search.trim()) {
    const found = total === 0 ? "none" : total > shown ? "first" : "all";
    return words(`classes.found.${found}`, { ...values, names: words.count("names", total) });
  }
  return shown < total ? words("table.first_names", values) : "";
}

/** The rows whose names hold a text, of those that the page has. */
function holding({ kernels_total: _, ...columns }, search) {
  const text = search.trim().toLowerCase();
  const kept = columns.name.map((name, at) => (name.toLowerCase().includes(text) ? at : -1))
    .filter((at) => at >= 0);
  const pick = ([key, column]) => [key, kept.map((at) => column[at])];
  const rows = Object.fromEntries(Object.entries(columns).map(pick));
  return text ? rows : { ...columns, kernels_total: _ };
}

function createSearch({ words, id, outbox }, canAsk, redraw) {
  const input = () => {
    if (canAsk) outbox.postLatest("search", { type: "search", value: box.value });
    redraw();
  };
  const box = make("input", { type: "search", maxlength: 999, id: id("kernel-search"), class: "overlap-box overlap-search", input });
  const label = make("label", { for: box.id }, words("classes.search"));
  return {
    element: make("div", { class: "overlap-choice" }, label, box),
    text: () => box.value,
    show({ search }) {
      if (canAsk && outbox.isSettled("search") && box.value !== search) box.value = search;
    },
  };
}

function createPeerCopies({ words, id, outbox }) {
  const change = () => outbox.postLatest("peer_copies", { type: "peer_copies", value: box.checked });
  const box = make("input", { type: "checkbox", id: id("peer-copies"), change });
  const named = (count) => words("classes.peer_copies", { copies: words.count("peer_copies", count) });
  const label = make("label", { for: box.id }, named(0));
  const element = make("div", { class: "overlap-check", hidden: true }, box, label);
  return {
    element,
    show({ peer_copies: copies, counts_peer_copies: isCounted }, canEdit) {
      element.hidden = copies === 0 || !canEdit;
      setText(label, named(copies));
      if (outbox.isSettled("peer_copies")) box.checked = isCounted;
    },
  };
}

/**
 * The list of edits, each with a way back, and what can be done with all of them. Once there
 * is nothing to take back, focus goes to `table`.
 */
function createEdits({ words, id, outbox }, table) {
  const title = make("h3", { id: id("edits") }, words("classes.edits"));
  const list = make("ul", { "aria-labelledby": title.id, tabindex: 0 });
  const buttons = ["undo", "reset", "save"].map((act) => make("button",
    { type: "button", click: () => outbox.post({ type: `${act}_classes` }) }, words(`classes.${act}`)));
  const [undo, reset, save] = buttons;
  const element = make("div", { class: "overlap-edits", role: "group", "aria-labelledby": title.id },
    title, list, make("div", { class: "overlap-window" }, ...buttons));
  let drawn = "";

  function row(name, at, kind) {
    const text = words("classes.edit", { name, class: words(`class.${kind}`) });
    const click = () => {
      outbox.post({ type: "drop_rule", value: at });
      list.focus();
    };
    const label = `${words("classes.remove")}: ${name}`;
    return make("li", {}, make("span", {}, text),
      make("button", { type: "button", "aria-label": label, click }, words("classes.remove")));
  }
  function draw({ rules, can_undo: canUndo }) {
    const count = rules.name.length;
    element.hidden = count === 0 && !canUndo;
    list.hidden = title.hidden = count === 0;
    for (const button of [reset, save]) button.hidden = count === 0;
    setAttribute(undo, "aria-disabled", canUndo ? null : "true");
    if (JSON.stringify(rules) === drawn) return;
    drawn = JSON.stringify(rules);
    list.replaceChildren(...rules.name.map((name, at) => row(name, at, rules.kind[at])));
  }
  return { element, show: (classes) => keepFocus(element, () => draw(classes), undo, table) };
}
