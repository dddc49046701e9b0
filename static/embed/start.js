// Starts the page from the data that stands in it.

import { embed } from "./embed.js";

const { config, data } = JSON.parse(document.getElementById("overlap-data").textContent);
const stops = Object.fromEntries(config.controls.map((spec) => [spec.key, spec.stops]));
const { lesson, presets } = config;
embed(config, { ...data, stops, lesson, presets });
