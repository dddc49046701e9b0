// A session of the embedded page: moves in, view state out, as `app/explorer.py` has it.

import { address, readAddress, stateOf } from "./address.js";
import { createCatalogue, withScenarios } from "./catalogue.js";
import { begun, change, started } from "./changes.js";
import { coveredExplore, coveredMap, coveredMeasured } from "./cover.js";
import { coveredRecording, coveredSweep, questionOf } from "./cover.js";
import { exploreView } from "./explore_view.js";
import { createKept } from "./kept.js";
import { mapKey, mapView } from "./map_view.js";
import { createMeasuredLookup } from "./measured_lookup.js";
import { readQuery } from "./query.js";
import { READERS, changedSettings, costOf, restarted } from "./settings.js";
import { settingsOf, shownAs, tried } from "./settings.js";
import { sweep } from "./sweep.js";
import { sweepKey, sweepView } from "./sweep_view.js";

const CHOSEN = [
  "recording", "device", "step", "rank", "against", "against_device", "against_step",
];
const STAYS = [...READERS, "mode", "predict", "lesson"]; // by a reset
const LAST_VIEWS = 32; // of curves and maps
const WHOLE = /^\s*[-+]?\d+(_\d+)*\s*$/;

/**
 * A session on the data of a page: what `app/twin_data.py` gathers, the query
 * to `start` with, and `measured` of `app/measured_data.py` or null. `query` sets it up as
 * an address does; what it leaves out is as the page starts.
 *
 * `view()` is the whole view state, and `move(move)` that after a move. A move that can't
 * be understood changes nothing and is said.
 */
export function createSession(data, query = "") {
  const show = createViews(data);
  const measured = createMeasuredLookup(data.measured);
  const isNamed = ({ name }) => readQuery(query)?.get("scenario") === name;
  const catalogue = withScenarios(createCatalogue(data), measured.runs.filter(isNamed));
  const first = readAddress(catalogue, data.start);
  const asked = readAddress(catalogue, query, first.settings);
  const isAsked = hasKeys(query, asked);
  let { settings } = asked;
  let notices = isAsked ? asked.notices : [...first.notices, ...asked.notices];
  let shown = show(settings, notices, measured, 0);

  const acts = new Map(Object.entries({
    set(move) {
      const changed = change(settings, String(given(move, "key")), given(move, "value"));
      settings = changed.settings;
      notices = changed.notices;
    },
    preset(move) {
      const start = settings.catalogue.presets.get(given(move, "value"));
      settings = started(changedSettings(settings, { lesson: "off" }), start);
    },
    reset() {
      if (settings.lesson !== "off") {
        settings = begun(settings);
        return;
      }
      const isOurs = settings.scenario === first.settings.scenario; // another starts as its own
      settings = isOurs ? shownAs(first.settings, settings, STAYS) : restarted(settings);
    },
    try() {
      const name = measured.view()?.what_if.scenario;
      const run = measured.runs.find((one) => one.name === name);
      if (!run) throw new TypeError("this step can't be replayed");
      settings = tried(settings, run);
    },
    window(move) {
      for (const key of ["start_s", "end_s"]) readFloat(given(move, key));
    },
  }));
  acts.set("swap", () => measured.swap());
  for (const kind of CHOSEN) {
    acts.set(kind, (move) => measured.choose(kind, readWhole(given(move, "value"))));
  }
  return {
    view: () => shown,
    move(move) {
      notices = [];
      try {
        acts.get(String(move?.type))?.(move);
      } catch {
        notices = [{ key: "notice.bad_move", values: {} }];
      }
      shown = show(settings, notices, measured, Number.isInteger(move?.seq) ? move.seq : 0);
      return shown;
    },
  };
}

/** Makes view states; the curve and the map are the same object while they are the same. */
function createViews(data) {
  const sweeps = createKept(LAST_VIEWS);
  const curves = createKept(LAST_VIEWS);
  const maps = createKept(LAST_VIEWS);
  return (settings, notices, measured, seq) => {
    const view = {
      state: stateOf(settings),
      address: address(settings),
      covered: questionOf(settings),
      notices,
      controls: { bucket: bucketBounds(settings), scenario: scenarioShown(settings) },
      upload: null,
      seq,
    };
    const isCovered = view.covered !== null;
    if (settings.mode !== "explore") {
      return { ...view, ...measuredParts(measured, isCovered), explore: null, sweep: {}, map: {} };
    }
    const key = sweepKey(settings);
    const swept = sweeps(key, () =>
      sweep(settings.scenario.layers, costOf(settings), settings.effects));
    const explored = exploreView(settings, swept, data);
    const curve = curves(key, () => sweepView(swept));
    const map = maps(mapKey(settings), () => mapView(settings, data));
    return {
      ...view,
      ...(isCovered ? coveredExplore(explored) : explored),
      measured: null,
      ranks: {},
      sweep: isCovered ? coveredSweep(curve) : curve,
      map: isCovered ? coveredMap(map) : map,
    };
  };
}

function measuredParts(measured, isCovered) {
  const [shown, figures] = [measured.view(), measured.figures()];
  return isCovered
    ? { measured: coveredMeasured(shown), figures: coveredRecording(figures), ranks: {} }
    : { measured: shown, figures, ranks: measured.ranks() };
}

/** Its name and title, which the page may not have; of a run what was measured. */
function scenarioShown(settings) {
  const { name, title, ghost } = settings.scenario;
  if (!ghost) return { name, title, run: null };
  const tail_s = questionOf(settings) ? null : ghost.tail_s;
  const fresh = settingsOf(settings.catalogue, settings.scenario);
  const is_fitted = fittedOf(settings) === fittedOf(fresh);
  return { name, title, run: { tail_s, backward_s: ghost.backward_s, is_fitted } };
}

/** Of the settings of a run all but its buckets. */
function fittedOf({ bandwidth_bytes_per_s, overhead_s, table, effects }) {
  return JSON.stringify([bandwidth_bytes_per_s, overhead_s, table, effects]);
}

/** The most layers of a bucket, and the bytes of the first one for each count. */
function bucketBounds({ scenario: { layers } }) {
  let held_bytes = 0;
  const sizes_bytes = layers.map((layer) => (held_bytes += layer.gradient_bytes));
  return { max: layers.length, sizes_bytes };
}

/** Whether an address names anything that it may. */
function hasKeys(query, { settings }) {
  const asked = readQuery(query);
  if (!asked) return false;
  const known = new Set(["v", "port", ...Object.keys(stateOf(settings))]);
  return [...asked.keys()].some((key) => known.has(key));
}

function given(move, key) {
  if (!Object.hasOwn(move, key)) throw new TypeError(`the move has no ${key}`);
  return move[key];
}

/** Python's `int` of what a move may hold. */
function readWhole(value) {
  const isWhole = typeof value === "string" ? WHOLE.test(value) : typeof value === "number";
  const number = typeof value === "string" ? Number(value.replaceAll("_", "")) : Number(value);
  if (!(isWhole || typeof value === "boolean") || !Number.isFinite(number)) {
    throw new TypeError("no whole number");
  }
  return Math.trunc(number);
}

/** A time of a move; what no part of a step can be is no time either, but no mistake. */
function readFloat(value) {
  if (typeof value === "number" || Number.isFinite(Number.parseFloat(value))) return;
  throw new TypeError("no number");
}
