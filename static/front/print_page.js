// The page as it is printed: as narrow as paper, unfolded, and no longer than a sheet.

import { make, setText } from "./elements.js";
import { wholeText } from "./quantities.js";

const SHEET_PX = 950; // of Letter and A4 within margins of half an inch, on the safe side
const ACROSS_PX = 670; // of the same sheet in landscape: which of the two it is only styles know in time
const FEW = 4; // transfers that are printed at least, if need be smaller
const OPENED = ".overlap-table-transfers";
const OTHERS = ".overlap-table[open]:not(.overlap-table-transfers, .overlap-what-if *)";

/**
 * `open()` lays `root` out as `[data-printing]`; what is folded away there is opened now.
 * `shrink()` makes all smaller where hardly a transfer had room, and returns whether it did.
 * `fit()` leaves out the last rows of the table of transfers that a sheet has no room for,
 * and says so, and tells the styles how small a sheet in landscape needs the rest; a reader
 * who has opened another table gets all, on more sheets. `close()` undoes both. `link()` is the address to print, or null.
 */
export function createPrintPage(root, words, link) {
  let undo = [];
  let isOneSheet = false;
  const tables = () => visible(root, OPENED);
  const over = () => root.getBoundingClientRect().height - SHEET_PX;

  function unfold(fold) {
    fold.open = true;
    fold.dispatchEvent(new Event("toggle")); // its own comes too late
    undo.push(() => (fold.open = false));
  }
  function addLink(address) {
    const line = make("p", { class: "overlap-printed-link" }, address);
    root.querySelector(".overlap-page").append(line);
    undo.push(() => line.remove());
  }
  return {
    open() {
      isOneSheet = visible(root, OTHERS).length === 0;
      visible(root, `${OPENED}:not([open])`).forEach(unfold);
      root.toggleAttribute("data-printing", true);
      undo.push(() => root.toggleAttribute("data-printing", false));
      const address = link();
      if (address) addLink(address);
    },
    shrink() {
      const rows = tables().flatMap((table) => [...table.querySelectorAll("tbody tr")]).slice(FEW);
      const spare = rows.reduce((sum, row) => sum + row.getBoundingClientRect().height, 0);
      if (!isOneSheet || over() <= spare) return false;
      root.dataset.printing = "small";
      return true;
    },
    fit() {
      const [table] = tables();
      if (!isOneSheet) return;
      if (table && over() > 0) undo.push(shorten(table, over(), words));
      root.style.setProperty("--overlap-across", Math.min(ACROSS_PX / (over() + SHEET_PX), 1));
      undo.push(() => root.style.removeProperty("--overlap-across"));
    },
    close() {
      undo.reverse().forEach((one) => one());
      undo = [];
    },
  };
}

function visible(root, selector) {
  return [...root.querySelectorAll(selector)].filter((one) => one.checkVisibility());
}

/** Leave out the last rows of a table that is so much too high; returns what undoes it. */
function shorten(table, over, words) {
  const note = table.querySelector(".overlap-hint");
  const said = note.textContent;
  const rows = [...table.querySelectorAll("tbody tr")];
  const total = wholeText(Number(table.dataset.total ?? rows.length));
  const height = table.getBoundingClientRect().height;
  setText(note, words("table.first", { shown: "0", total }));
  const more = over + table.getBoundingClientRect().height - height;
  const end = rows.at(-1).getBoundingClientRect().bottom - more;
  const left = rows.filter((row) => row.getBoundingClientRect().bottom > end);
  for (const row of left) row.hidden = true;
  setText(note, words("table.first", { shown: wholeText(rows.length - left.length), total }));
  return () => {
    setText(note, said);
    for (const row of left) row.hidden = false;
  };
}
