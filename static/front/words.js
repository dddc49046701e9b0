// Every word comes from the strings: templates with {places}, and counted nouns.

const PLACE = /\{(\w+)\}/;

/**
 * `words(key, values)` fills a template. `words.count(noun, n)` is "1 layer", "2 layers".
 * `words.parts(key, values)` is for values that are elements: texts and elements in turn.
 * Where one reads leftwards, numbers and names in a text keep their own direction.
 * Of a recorded run a key may have another text, `key.run`: see `ofRun`.
 * A key without a text shows itself, so that the gap is seen and the page goes on.
 */
export function wordsFrom(strings, lang) {
  const plural = new Intl.PluralRules(lang);
  let isRun = false;
  const isLeftwards = strings["language.dir"] === "rtl";
  const placed = (value) =>
    (isLeftwards && typeof value !== "object" && value !== "" ? `\u2068${value}\u2069` : value);
  const parts = (key, values = {}) =>
    ((isRun ? strings[`${key}.run`] : undefined) ?? strings[key] ?? key)
      .split(PLACE)
      .map((part, index) => (index % 2 ? placed(values[part] ?? "") : part));
  const words = (key, values) => parts(key, values).join("");
  words.parts = (key, values) => parts(key, values).filter((part) => part !== "");
  words.has = (key) => key in strings;
  words.lang = lang;
  words.count = (noun, n) => {
    const counted = isRun && noun === "layers" ? "pieces" : noun;
    const forms = [plural.select(n), "other"].map((form) => `count.${counted}.${form}`);
    return words(forms.find(words.has) ?? forms[0], { n: n.toLocaleString("en") }); // as all numbers
  };
  /** Whether what is explored was recorded: its layers are pieces of measured buckets. */
  words.ofRun = (isIt) => {
    isRun = isIt;
  };
  return words;
}
