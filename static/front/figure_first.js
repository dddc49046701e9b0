// A figure as it is first drawn: what is known goes into its item, since all that is set
// on a figure that stands is laid out and painted once more.

/**
 * Puts columns, by the names of their sources, ranges, by theirs, and the colours of roles
 * into an item. Texts that must fit their room follow once that is known.
 */
export function fillItem(item, { columns, ranges = {} }, colourOf) {
  eachModel(item.doc.roots, ({ name: type, attributes }) => {
    const { name } = attributes;
    if (attributes.data && columns[name]) {
      attributes.data = { type: "map", entries: Object.entries(columns[name]) };
    }
    Object.assign(attributes, ranges[name], coloured(type, attributes, colourOf));
  });
}

function eachModel(value, act) {
  if (value === null || typeof value !== "object") return;
  if (value.attributes) act(value);
  for (const inner of Object.values(value)) eachModel(inner, act);
}

/** What the tags of a model say, such as "line_color=axis", as its property is given. */
export function coloured(type, model, colourOf) {
  const given = (model.tags ?? []).map((tag) => String(tag).split("="));
  return Object.fromEntries(given.filter(([property, roles]) => roles && property in model)
    .map(([property, roles]) => {
      const isOutline = property === "line_color" && type === "Quad";
      const names = isOutline ? [`outline, var(--overlap-${roles})`] : roles.split("|");
      return [property, inColour(model[property], names.map(colourOf))];
    }));
}

/** A palette, a value of all marks, or a plain colour. */
function inColour(now, colours) {
  if (Array.isArray(now)) return colours;
  return now?.value === undefined ? colours[0] : { ...now, value: colours[0] };
}
