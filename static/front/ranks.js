// Several ranks in one step: a row each, which of them is late, and who waits for it.

import { make, setAttribute, setText } from "./elements.js";
import { createFigure, createLegend } from "./pictures.js";
import { timeText } from "./quantities.js";
import { createGroupsTable, createRanksTable, rankName } from "./rank_tables.js";
import { saidTexts } from "./said.js";

const FILLS = ["compute", "hidden", "exposed", "waits", "waits_exposed"];

/**
 * `show(measured)` draws `measured.ranks`, or hides all of it; `pick({y})` takes the rank
 * whose row of the figure lies there.
 */
export function createRanks(context) {
  const { words, id } = context;
  const title = make("h2", { id: id("ranks-title") }, words("ranks.title"));
  const said = make("p");
  const parts = make("p");
  const legend = createLegend(words, FILLS);
  const figure = createFigure("ranks", context);
  const choices = createRankChoices(context);
  const [table, groups] = [createRanksTable(words), createGroupsTable(words)];
  const rows = make("div", { class: "overlap-rank-rows" }, choices.element, figure.element);
  const picture = make("section", { class: "overlap-ranks", "aria-labelledby": title.id },
    title, said, legend.element, rows, parts);
  const tables = make("div", { class: "overlap-rank-tables" }, table.element, groups.element);
  return {
    picture,
    tables,
    canvas: figure.canvas,
    pick: ({ y }) => choices.pick(y),
    show(measured) {
      const { ranks } = measured;
      for (const element of [picture, tables]) element.hidden ||= !ranks; // or not asked for
      if (!ranks) return;
      setText(said, saidTexts(words, ranks.said));
      legend.show({ waits: ranks.waiting_found, waits_exposed: ranks.waiting_found });
      figure.describe(words("summary.ranks", { ranks: words.count("ranks", ranks.rows.rank.length) }));
      choices.show(measured);
      setText(parts, partsText(words, measured));
      table.show(ranks);
      groups.show(ranks);
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
    show({ ranks, recording, device }) {
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
function partsText(words, { ranks, recording, device }) {
  const at = chosenRow(ranks, recording, device);
  if (at < 0 || ranks.rows.waiting_s[at] === null) return "";
  const keys = ["communication", "waiting", "transfer", "exposed", "waiting_exposed"];
  const times = keys.map((key) => [key, timeText(ranks.rows[`${key}_s`][at])]);
  return words("ranks.parts", { rank: rankName(words, ranks.rows, at), ...Object.fromEntries(times) });
}
