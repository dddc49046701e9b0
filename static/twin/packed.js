// Columns as `app/packed.py` writes them in few characters, and as they were.

/** All columns; what is none stays as it is. */
export function unpacked(columns) {
  const found = {};
  for (const [name, form] of Object.entries(columns)) found[name] = unpackedColumn(form, found);
  return found;
}

function unpackedColumn(form, earlier) {
  if (Array.isArray(form) || typeof form !== "object" || form === null) return form;
  if (form.like !== undefined) return earlier[form.like];
  if (form.micro) return fromMillionths(form.micro);
  if (form.of) return form.at.map((place) => form.of[place]);
  return new Array(form.times).fill(form.one);
}

/** Each whole number is the difference to the one before. */
function fromMillionths(steps) {
  let whole = 0;
  return steps.map((step) => {
    whole += step;
    return whole / 1e6;
  });
}
