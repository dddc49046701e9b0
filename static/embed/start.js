// Starts the page from the data that stands in it.

import { embed } from "./embed.js";

/** The texts of each language by key; the page holds the keys once. */
function stringsByKey({ keys, ...languages }) {
  const byKey = (texts) => Object.fromEntries(keys.map((key, at) => [key, texts[at] ?? undefined]));
  return Object.fromEntries(Object.entries(languages).map(([lang, texts]) => [lang, byKey(texts)]));
}

const { config, data } = JSON.parse(document.getElementById("overlap-data").textContent);
const stops = Object.fromEntries(config.controls.map((spec) => [spec.key, spec.stops]));
const { lesson, presets } = config;
config.strings = stringsByKey(config.strings);
embed(config, { ...data, stops, lesson, presets });
