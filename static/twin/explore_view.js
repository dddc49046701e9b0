// The view state of a simulated step: numbers for the text, columns for figures.

import { hereColumns } from "./curve_columns.js";
import { explain } from "./explain.js";
import { explanationOf, remarksOf, sentencePlaces } from "./explanation.js";
import { laneColumns } from "./lane_columns.js";
import { marksOf } from "./lane_marks.js";
import { mapHere } from "./map_columns.js";
import { simulationOf } from "./settings.js";
import { exposedTimes, timelineOf } from "./timeline.js";

/** What the front shows of the step in Explore: {explore, figures}, both plain data. */
export function exploreView(settings, swept, data) {
  const simulation = simulationOf(settings);
  const timeline = timelineOf(simulation);
  const found = explain(simulation);
  const places = sentencePlaces(simulation);
  return {
    explore: {
      numbers: { ...stepNumbers(simulation), ...bestNumbers(swept.best) },
      regime: found.regime,
      lever: found.helps[0]?.lever ?? null,
      explanation: explanationOf(simulation, found, places),
      remarks: remarksOf(simulation, found.regime, places),
      transfers: transfersTable(timeline, settings.effects.late_s),
      layers: layersTable(timeline.layers),
    },
    figures: {
      lanes: laneColumns(timeline, marksOf(simulation, timeline), settings.scenario.ghost, data),
      curve: hereColumns(settings, swept, simulation.tail.total_s),
      map: { sources: { map_here: mapHere(settings, data.axes) } },
    },
  };
}

function stepNumbers(simulation) {
  const { transfers, tail } = simulation;
  return {
    backward_s: simulation.backward_s,
    communication_s: simulation.communication_s,
    hidden_s: simulation.hidden_s,
    tail_s: tail.total_s,
    late_s: tail.late_s,
    queued_s: tail.queued_s,
    overhead_s: tail.overhead_s,
    wire_s: tail.wire_s,
    step_s: simulation.step_s,
    traffic_to_work: simulation.traffic_to_work,
    traffic_exceeds_work: simulation.traffic_exceeds_work,
    transfers: transfers.length,
    bucket_layers: transfers[0].layers.length,
    bucket_bytes: transfers[0].size_bytes,
  };
}

function bestNumbers({ bucket, tail_s, plan_tail_s }) {
  return { best_bucket: bucket, best_tail_s: tail_s, best_plan_tail_s: plan_tail_s };
}

/** The layers in the order of their start, also those that take no time. */
function layersTable(layers) {
  const column = (key) => layers.map((one) => one[key]);
  return {
    name: column("name"),
    bytes: column("size_bytes"),
    start_s: column("start_s"),
    end_s: column("end_s"),
  };
}

/** The transfers in the order of their start; of their wait what a late rank costs. */
function transfersTable(timeline, late_s) {
  const column = (key) => timeline.transfers.map((one) => one[key]);
  const waited_s = timeline.transfers.map(({ ready_s, start_s }) => start_s - ready_s);
  return {
    number: timeline.transfers.map((_, at) => at + 1),
    layers: column("name"),
    bytes: column("size_bytes"),
    ready_s: column("ready_s"),
    waited_s,
    ...(late_s > 0 ? { late_s: waited_s.map((wait_s) => Math.min(wait_s, late_s)) } : {}),
    start_s: column("start_s"),
    end_s: column("end_s"),
    exposed_s: exposedTimes(timeline),
  };
}
