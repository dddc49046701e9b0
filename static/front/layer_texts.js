// What layers are called: shipped ones by words and numbers, others as they are.

const FROM_TO = /^(.+?) to (.+)$/;

/** Of a layer, or of all layers of a bucket from the first to the last. */
export function layerText(words, name) {
  const [, first, last] = FROM_TO.exec(name) ?? [];
  if (first === undefined) return oneLayerText(words, name);
  return words("layer.span", { first: oneLayerText(words, first), last: oneLayerText(words, last) });
}

function oneLayerText(words, name) {
  const [, kind, n] = /^(\S+)(?: ([\d.]+))?$/.exec(name) ?? [];
  const key = n ? `layer.${kind}.n` : `layer.${kind}`;
  return words.has(key) ? words(key, { n }) : name;
}
