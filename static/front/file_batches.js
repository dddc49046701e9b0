// Files that are opened together: as they were chosen or dropped, also whole folders.

const MOST_FILES = 256;
const TABLE = /\.csv$/i;
let batches = 0; // of the page, so that no two have the same name

/**
 * What one choice of files comes to: {files, left}, each file with the `name` to show, its
 * `batch`, whether it was only found in a folder, and whether it is held until the next
 * file of its batch has come. `left` is how many were too many.
 */
export function batchOf(chosen) {
  batches += 1;
  const batch = `${Date.now()}-${batches}`;
  const wanted = chosen.filter(({ name, isFound }) => !isFound || !isHidden(name)).sort(byName);
  const [tables, others] = [true, false].map((is) => wanted.filter(({ name }) => TABLE.test(name) === is));
  const files = [...others, ...tables].slice(0, MOST_FILES)
    .map((one) => ({ ...one, batch, isHeld: false }));
  // A table may belong to another one: they are read once all of them are there.
  const held = files.filter(({ name }) => TABLE.test(name)).slice(0, -1);
  for (const one of held) one.isHeld = true;
  return { files, left: Math.max(0, wanted.length - MOST_FILES) };
}

/** The files of an `<input>`; those of a folder have the path in it as their name. */
export function chosenFiles(input) {
  return [...input.files].map((file) =>
    foundFile(file, file.webkitRelativePath || file.name, Boolean(file.webkitRelativePath)));
}

/** The files of a drop, also those in dropped folders; a promise. */
export async function droppedFiles(dataTransfer) {
  // Both lists are empty once the event is over.
  const files = [...dataTransfer.files].map((file) => foundFile(file, file.name, false));
  const entries = [...(dataTransfer.items ?? [])].map((item) => item.webkitGetAsEntry?.() ?? null);
  const folders = entries.filter((entry) => entry?.isDirectory);
  if (folders.length === 0) return files;
  const names = new Set(folders.map(({ name }) => name));
  const inside = await Promise.all(folders.map(filesIn));
  return [...files.filter(({ name }) => !names.has(name)), ...inside.flat()];
}

function foundFile(file, name, isFound) {
  return { file, name, isFound };
}

async function filesIn(folder) {
  const entries = await entriesOf(folder);
  const files = await Promise.all(entries.map((entry) =>
    (entry.isDirectory ? filesIn(entry) : fileOf(entry))));
  return files.flat();
}

/** All entries: a reader hands them out in portions, the last of which is empty. */
async function entriesOf(folder) {
  const reader = folder.createReader();
  const all = [];
  for (;;) {
    const some = await new Promise((resolve) => reader.readEntries(resolve, () => resolve([])));
    if (some.length === 0) return all;
    all.push(...some);
  }
}

function fileOf(entry) {
  return new Promise((resolve) => {
    const found = (file) => resolve([foundFile(file, entry.fullPath.replace(/^\//, ""), true)]);
    entry.file(found, () => resolve([]));
  });
}

function isHidden(path) {
  return path.split("/").some((part) => part.startsWith("."));
}

/** Rank 2 before rank 10. */
function byName(one, other) {
  return one.name.localeCompare(other.name, "en", { numeric: true });
}
