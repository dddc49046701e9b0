// View states as text: Maps as lists of their entries, everything else as JSON has it.

globalThis.toText = (view) => JSON.stringify(
  view, (key, value) => (value instanceof Map ? { map: [...value] } : value));
