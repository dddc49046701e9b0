// Runs the twin on many inputs at once: numbers in a row in, numbers in a row out.

globalThis.answers = (() => {
  const CODES = 1 << 15; // of a text made at once

  function numbersFrom(base64) {
    const text = atob(base64);
    const bytes = new Uint8Array(text.length);
    for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
    return new Float64Array(bytes.buffer);
  }

  function base64From(numbers) {
    const bytes = new Uint8Array(new Float64Array(numbers).buffer);
    const texts = [];
    for (let at = 0; at < bytes.length; at += CODES) {
      texts.push(String.fromCharCode(...bytes.subarray(at, at + CODES)));
    }
    return btoa(texts.join(""));
  }

  function readerOf(numbers) {
    let at = 0;
    const next = () => numbers[at++];
    const row = () => Array.from({ length: next() }, next);
    return { next, row, hasMore: () => at < numbers.length };
  }

  function stepFrom({ next, row }) {
    const [times_s, sizes_bytes] = [row(), row()];
    const layers = times_s.map((backward_s, at) => (
      { name: String(at), backward_s, gradient_bytes: sizes_bytes[at] }));
    const plan = row();
    const [table_bytes, table_s] = [row(), row()];
    const [overhead_s, bandwidth_bytes_per_s, ...factors] = row();
    const link = table_bytes.length === 0
      ? twin.lineLink(overhead_s, bandwidth_bytes_per_s)
      : twin.measuredLink({
        sizes_bytes: table_bytes, times_s: table_s, overhead_s, bandwidth_bytes_per_s,
      }).scaled(...factors);
    const [overlap, slowdown, late_s, micro_steps, every] = row();
    const effects = {
      overlap: overlap === 1, slowdown, late_s, micro_steps, every_micro_step: every === 1,
    };
    return { layers, plan, link, effects, more: row() };
  }

  const place = (regime) => twin.REGIMES.indexOf(regime);

  function simulationRow(one) {
    const { tail } = one;
    return [
      ...one.done_s,
      ...one.transfers.flatMap((sent) => [
        sent.layers.length, sent.size_bytes, sent.ready_s, sent.start_s, sent.end_s]),
      tail.queued_s, tail.overhead_s, tail.wire_s, tail.late_s, tail.total_s,
      one.backward_s, one.step_s, one.slowed_s, one.total_bytes, one.traffic_s,
      one.hideable_s, one.traffic_to_work ?? -1, Number(one.traffic_exceeds_work),
      one.communication_s, one.hidden_s, one.most_waiting, place(twin.regimeOf(one)),
    ];
  }

  const bestRow = (best) => [best.bucket, best.tail_s, ...best.plan, best.plan_tail_s];

  const rows = {
    simulate: ({ layers, plan, link, effects }) =>
      simulationRow(twin.simulate(layers, plan, link, effects)),
    sweep({ layers, link, effects }) {
      const { sizes, best } = twin.sweep(layers, link, effects);
      return [...bestRow(best), ...sizes.flatMap((one) => [
        one.bucket, one.transfers, one.last_layers, one.last_bytes, one.slowed_s,
        place(one.regime), one.step_s, one.floor_s, one.tail.queued_s, one.tail.overhead_s,
        one.tail.wire_s, one.tail.late_s, one.tail.total_s])];
    },
    bestPlan: ({ layers, link, effects }) => [
      ...twin.bestPlan(layers, link, effects), ...bestRow(twin.bestOf(layers, link, effects))],
    explain({ layers, plan, link, effects }) {
      const { regime, helps } = twin.explain(twin.simulate(layers, plan, link, effects));
      const levers = ["overlap", "late", "bucket", "overhead", "bandwidth"];
      return [place(regime), ...helps.flatMap(({ lever, saves_s, simulation }) => [
        levers.indexOf(lever), saves_s, ...simulationRow(simulation)])];
    },
    rules({ layers, link, effects, more: [element_bytes, ranks, limit_bytes, first_bytes] }) {
      const given = [
        { name: "a", fill: "by_bytes", limit_bytes, first_limit_bytes: first_bytes },
        { name: "b", fill: "within_bytes", limit_bytes },
      ];
      return [...data.rules, ...given].flatMap((rule) =>
        twin.fillerOf(rule)({ layers, link, effects, element_bytes, ranks }));
    },
    landscape({ layers, effects, more: [rates, overheads, ...numbers] }) {
      const [first, second] = [rates, rates + overheads];
      const found = twin.landscape(
        layers, numbers.slice(0, first), numbers.slice(first, second), numbers.slice(second),
        effects);
      return [found.buckets, found.tail_s, found.backward_s, found.regime].flat(3);
    },
  };

  /** All rows of one kind, one after the other; -1 for a step that is refused. */
  return (kind, base64) => {
    const reader = readerOf(numbersFrom(base64));
    const found = [];
    while (reader.hasMore()) {
      const step = stepFrom(reader);
      try {
        for (const number of rows[kind](step)) found.push(number);
      } catch (error) {
        if (error.constructor !== Error) throw error; // a fault of the twin
        found.push(-1);
      }
    }
    return base64From(found);
  };
})();
