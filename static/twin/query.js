// Queries of addresses: what `urllib.parse` reads from them and writes into them.

const MOST_FIELDS = 99;
const ASCII_RUN = /[\x00-\x7f]+/g;

/** The last value of each key, in a Map; null where there are more than any of ours has. */
export function readQuery(query) {
  const text = query.replace(/^[?#]+/, "");
  const fields = text.split("&");
  if (fields.length > MOST_FIELDS) return null;
  const found = new Map();
  for (const field of fields) {
    if (!field) continue;
    const [, key, value] = /^([^=]*)=?(.*)$/s.exec(field);
    found.set(unescaped(key), unescaped(value));
  }
  return found;
}

/** A query of these keys and values; slashes and commas stand as they are. */
export function writeQuery(entries) {
  return entries.map((pair) => pair.map(escaped).join("=")).join("&");
}

/** What percent signs and pluses stand for; of what is no UTF-8, U+FFFD. */
function unescaped(text) {
  const spaced = text.replaceAll("+", " ");
  return spaced.includes("%") ? spaced.replace(ASCII_RUN, decoded) : spaced;
}

/** An ASCII text whose escapes are bytes of UTF-8. */
function decoded(run) {
  const bytes = [];
  for (let at = 0; at < run.length; at += 1) {
    const hex = run.slice(at + 1, at + 3);
    const isEscape = run[at] === "%" && /^[0-9a-f]{2}$/i.test(hex);
    bytes.push(isEscape ? parseInt(hex, 16) : run.charCodeAt(at));
    if (isEscape) at += 2;
  }
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(new Uint8Array(bytes));
}

function escaped(text) {
  return encodeURIComponent(text)
    .replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("%2F", "/")
    .replaceAll("%2C", ",")
    .replaceAll("%20", "+");
}
