// Why a simulated step waits and what would help: sentences as data, {key, values}.

/** One sentence that says what decides the tail, and one on what would help most. */
export function explanationOf(simulation, { regime, helps }, places) {
  const why = sentence(`why.${whyKey(regime, simulation)}`, places);
  if (regime === "hidden" || !helps.length) return [why]; // little is left to save
  return [why, helpSentence(helps)];
}

/** What else must be said: a last bucket of another size, each option that is on. */
export function remarksOf(simulation, regime, places) {
  const { effects, plan, tail, slowed_s } = simulation;
  const slows = effects.slowdown > 0;
  const addsUp = effects.micro_steps > 1;
  const holds = {
    queued: regime === "traffic" && tail.queued_s > 0,
    smaller_last: plan[0] !== plan.at(-1),
    slowdown: slows && slowed_s > 0,
    no_slowdown: slows && slowed_s === 0,
    late: effects.late_s > 0 && regime !== "late",
    every_pass: addsUp && effects.every_micro_step,
    last_pass: addsUp && !effects.every_micro_step,
  };
  const keys = Object.keys(holds).filter((key) => holds[key]);
  return keys.map((key) => sentence(`remark.${key}`, places));
}

/** Every place that a sentence about a simulated step may hold. */
export function sentencePlaces(simulation) {
  const { tail, transfers, effects, plan } = simulation;
  const last = transfers.at(-1);
  return {
    backward_s: simulation.backward_s,
    work_s: simulation.hideable_s,
    communication_s: simulation.communication_s,
    hidden_s: simulation.hidden_s,
    tail_s: tail.total_s,
    queued_s: tail.queued_s,
    late_s: effects.late_s,
    overhead_s: tail.overhead_s,
    starting_s: tail.overhead_s * transfers.length,
    moving_s: simulation.traffic_s,
    slowed_s: simulation.slowed_s,
    slowdown_share: effects.slowdown,
    first: plan[0],
    last_layers: last.layers.length,
    last_size_bytes: last.size_bytes,
    last_layer: last.layers.at(-1),
    sent_transfers: transfers.length,
    most_waiting: simulation.most_waiting,
    all_passes: effects.micro_steps,
  };
}

/** The regime, or its form where several buckets queue, or wait for a late rank. */
function whyKey(regime, { tail, effects, most_waiting }) {
  if (tail.total_s === 0) return "nothing";
  if (effects.late_s > 0 && ["queue", "hidden"].includes(regime)) return `${regime}_late`;
  return regime === "queue" && most_waiting > 1 ? "queue_deep" : regime;
}

/** The greatest help, and the next on top of it. */
function helpSentence([first, then]) {
  const values = { first: leverSentence(first), saves_s: first.saves_s };
  if (!then) return sentence("help.one", values);
  return sentence("help.two", { ...values, then: leverSentence(then), more_s: then.saves_s });
}

function leverSentence({ lever, simulation }) {
  const values = lever === "bucket" ? { bucket_layers: simulation.plan[0] } : {};
  return sentence(`lever.${lever}`, values);
}

function sentence(key, values) {
  return { key, values };
}
