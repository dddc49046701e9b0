// Several ranks in one step: a row each, which of them is late, and who waits for it.

import { make, makeEnglish, setAttribute, setText } from "./elements.js";
import { createFigure, createLegend } from "./pictures.js";
import { timeText } from "./quantities.js";
import { createGroupsTable, createRanksTable, rankName } from "./rank_tables.js";
import { saidTexts } from "./said.js";

const MOST_REMARKS = 3;
const FILLS = ["compute", "hidden", "exposed", "waits", "waits_exposed"];

/**
 * `show(measured, ranks)` draws the ranks of the step, or hides all of it where there are
 * none; `pick({y})` takes the rank whose row of the figure lies there.
 */
export function createRanks(context) {
  const { words, id } = context;
  const title = make("h2", { id: id("ranks-title") }, words("ranks.title"));
  const said = make("p");
  const parts = make("p");
  const legend = createLegend(words, FILLS);
  const figure = createFigure("ranks", context);
  figure.canvas.dataset.rows = ""; // names stand beside them, also on paper
  const choices = createRankChoices(context);
  const [table, groups] = [createRanksTable(context), createGroupsTable(context)];
  const remarks = createRemarks(words);
  const rows = make("div", { class: "overlap-rank-rows" }, choices.element, figure.element);
  const picture = make("section", { class: "overlap-ranks", "aria-labelledby": title.id },
    title, said, legend.element, rows, parts, ...remarks.elements);
  const tables = make("div", { class: "overlap-rank-tables" }, table.element, groups.element);
  return {
    picture,
    tables,
    canvas: figure.canvas,
    pick: ({ y }) => choices.pick(y),
    show(measured, ranks) {
      for (const element of [picture, tables]) element.hidden ||= !ranks?.rows; // or not asked for
      if (!ranks?.rows) return;
      setText(said, saidTexts(words, ranks.said));
      const isTold = ranks.rows.waiting_s.some((waiting_s) => waiting_s !== null);
      legend.show({ waits: isTold, waits_exposed: isTold });
      remarks.show(ranks.notes);
      figure.describe(words("summary.ranks", { ranks: words.count("ranks", ranks.rows.rank.length) }));
      choices.show(measured, ranks);
      setText(parts, partsText(words, measured, ranks));
      table.show(ranks);
      groups.show(ranks);
    },
  };
}

/** What is doubtful about the comparison: a list, which opens on demand if it is long. */
function createRemarks(words) {
  const lists = [make("ul", { class: "overlap-warnings" }), make("ul", { class: "overlap-warnings" })];
  const [few, many] = lists;
  const fold = make("details", { class: "overlap-table" }, make("summary", {}, words("ranks.remarks")), many);
  for (const list of lists) list.setAttribute("aria-label", words("ranks.remarks"));
  return {
    elements: [few, fold],
    show(notes) {
      const texts = [...new Set(notes)].filter(Boolean);
      const isLong = texts.length > MOST_REMARKS;
      [few.hidden, fold.hidden] = [isLong, !isLong];
      (isLong ? many : few).replaceChildren(...texts.map((text) => make("li", {}, makeEnglish(words, text))));
    },
  };
}

/** The ranks as choices of one, each beside its row of the figure. */
function createRankChoices({ words, id, outbox }) {
  const name = id("rank");
  const element = make("fieldset", { class: "overlap-rank-choices" });
  const legend = make("legend", { class: "overlap-unseen" }, words("ranks.choose"));
  let radios = [];
  let drawn = "";

  function choose(row) {
    radios[row].checked = true;
    mark();
    outbox.postLatest("rank", { type: "rank", value: row });
  }
  function mark() {
    for (const radio of radios) radio.parentElement.classList.toggle("overlap-chosen", radio.checked);
  }
  function fill(texts) {
    radios = texts.map((_, row) => make("input",
      { type: "radio", class: "overlap-unseen", name, value: row, change: () => choose(row) }));
    const labels = radios.map((radio, row) => make("label", {}, radio, make("span", {}, texts[row])));
    element.replaceChildren(legend, ...labels);
  }
  return {
    element,
    pick(y) {
      const row = radios.length - 1 - Math.floor(y);
      if (radios[row] && !radios[row].checked) choose(row);
    },
    show({ recording, device }, ranks) {
      const texts = choiceTexts(words, ranks);
      if (drawn !== texts.join("\n")) fill(texts);
      drawn = texts.join("\n");
      setAttribute(element, "aria-busy", outbox.isSettled("rank") ? null : "true");
      if (!outbox.isSettled("rank")) return;
      const at = chosenRow(ranks, recording, device);
      for (const [row, radio] of radios.entries()) radio.checked = row === at;
      mark();
    },
  };
}

function choiceTexts(words, { rows, late }) {
  return rows.rank.map((_, row) => {
    const rank = rankName(words, rows, row);
    return row === late ? words("rank.late", { rank }) : rank;
  });
}

function chosenRow({ rows }, recording, device) {
  return rows.recording.findIndex((one, row) => one === recording && rows.device[row] === device);
}

/** How the communication of the chosen rank is made up, where the clocks tell. */
function partsText(words, { recording, device }, ranks) {
  const at = chosenRow(ranks, recording, device);
  if (at < 0 || ranks.rows.waiting_s[at] === null) return "";
  const keys = ["communication", "waiting", "transfer", "untold", "exposed", "exposed_waiting"];
  const times = keys.map((key) => [key, timeText(ranks.rows[`${key}_s`][at])]);
  const { waiting_s, untold_s } = ranks.rows;
  const key = untold_s[at] > 0 ? "ranks.parts.untold" : waiting_s[at] > 0 ? "ranks.parts" : "ranks.parts.none";
  return words(key, { rank: rankName(words, ranks.rows, at), ...Object.fromEntries(times) });
}
