// What differs between two steps, in numbers and in sentences, as `model/comparison.py` and
// `app/comparison_said.py` have it.

const LEAST_CHANGE = 0.01;
const COMPARED = [
  "span_s", "compute_s", "communication_s", "hidden_s", "exposed_s",
  "tail_s", "waiting_s", "idle_s", "transfers", "size_bytes",
];
const CAUSES = ["exposed", "compute", "idle"];

/** What the view of a step holds of the one that is compared with it, given its view. */
export function againstView(before, after) {
  const [one, other] = [comparedNumbers(before), comparedNumbers(after)];
  const { recording, device, step, devices, steps, numbers } = before;
  return {
    recording, device, step, devices, steps, numbers,
    said: comparisonSaid(compareSteps(one, other)),
    rows: {
      name: COMPARED,
      before: COMPARED.map((name) => one[name]),
      after: COMPARED.map((name) => other[name]),
    },
  };
}

function comparedNumbers({ numbers, steps, step }) {
  const lengths_s = steps.filter(({ complete }) => complete).map(({ span_s }) => span_s);
  return {
    ...numbers,
    waiting_s: numbers.waiting_s ?? null,
    complete: steps.length ? steps[step].complete : true,
    spread_s: spreadOf(lengths_s),
    hidden_share: numbers.communication_s ? numbers.hidden_s / numbers.communication_s : null,
  };
}

function spreadOf(lengths_s) {
  const steady_s = lengths_s.length > 2 ? lengths_s.slice(1) : lengths_s;
  return steady_s.length > 1 ? Math.max(...steady_s) - Math.min(...steady_s) : null;
}

function compareSteps(before, after) {
  const least_s = LEAST_CHANGE * Math.max(before.span_s, after.span_s);
  const change_s = after.span_s - before.span_s;
  const isSame = Math.abs(change_s) <= least_s;
  const length = isSame ? "same" : change_s > 0 ? "longer" : "shorter";
  const changes = CAUSES
    .map((cause) => ({ cause, change_s: after[`${cause}_s`] - before[`${cause}_s`] }))
    .filter((one) => Math.abs(one.change_s) > least_s)
    .sort((one, other) => Math.abs(other.change_s) - Math.abs(one.change_s));
  const isSameWay = (one) => (one.change_s > 0) === (change_s > 0);
  return {
    before,
    after,
    length,
    change_s,
    reasons: isSame ? changes : changes.filter(isSameWay),
    against: isSame ? [] : changes.filter((one) => !isSameWay(one)),
    doubts: doubtsOf(before, after),
  };
}

function doubtsOf(before, after) {
  const both = [before, after];
  const moves = both.filter(({ communication_s }) => communication_s !== 0);
  const spread_s = Math.max(0, ...both.map((one) => one.spread_s ?? 0));
  const change_s = Math.abs(after.span_s - before.span_s);
  const holds = {
    incomplete: !both.every(({ complete }) => complete),
    spread: change_s > 0 && change_s <= spread_s,
    tail_guessed: !moves.every(({ backward_found }) => backward_found),
    sizes_unknown: moves.some(({ size_bytes }) => size_bytes === null),
    waiting_unknown: moves.some(({ waiting_s }) => waiting_s === null),
  };
  return Object.keys(holds).filter((doubt) => holds[doubt]);
}

const saidAs = (key, values = {}) => ({ key, values });

function comparisonSaid(found) {
  const { before, after, doubts } = found;
  return [
    lengthSaid(found),
    communicationSaid(before, after),
    ...trafficSaid(before, after),
    ...waitingSaid(before, after),
    ...doubts.map((doubt) => saidAs(`compare.doubt.${doubt}`)),
  ];
}

function lengthSaid({ before, after, length, change_s, reasons, against }) {
  const values = { before_s: before.span_s, after_s: after.span_s, change_s: Math.abs(change_s) };
  const key = `compare.${length}`;
  if (!reasons.length) return saidAs(key, values);
  const because = saidAs(`${key}.why`, { ...values, why: changesSaid(reasons) });
  if (!against.length) return because;
  return saidAs("compare.against", { said: because, against: changesSaid(against) });
}

function changesSaid(changes) {
  const [one, two, three] = changes.map(({ cause, change_s }) =>
    saidAs(`compare.${cause}.${change_s > 0 ? "more" : "less"}`, { change_s: Math.abs(change_s) }));
  if (three) return saidAs("compare.three", { one, two, three });
  return two ? saidAs("compare.two", { one, other: two }) : one;
}

function communicationSaid(before, after) {
  const values = { before_s: before.communication_s, after_s: after.communication_s };
  const [hid_share, hides_share] = [before.hidden_share, after.hidden_share];
  if (hid_share === null && hides_share === null) return saidAs("compare.communication.none");
  if (hid_share === null) return saidAs("compare.communication.new", { ...values, hides_share });
  if (hides_share === null) return saidAs("compare.communication.gone", { ...values, hid_share });
  return saidAs("compare.communication", { ...values, hid_share, hides_share });
}

function trafficSaid(before, after) {
  if (!before.transfers || !after.transfers) return [];
  const counts = { before_transfers: before.transfers, after_transfers: after.transfers };
  const [from_bytes, to_bytes] = [before.size_bytes, after.size_bytes];
  if (from_bytes === null || to_bytes === null) return [saidAs("compare.transfers", counts)];
  const key = from_bytes === to_bytes ? "compare.same_bytes" : "compare.other_bytes";
  return [saidAs(key, { ...counts, from_bytes, to_bytes })];
}

function waitingSaid({ waiting_s: before_s }, { waiting_s: after_s }) {
  if (before_s === null || after_s === null) return [];
  if (!before_s && !after_s) return [saidAs("compare.no_waiting")];
  return [saidAs("compare.waiting", { before_s, after_s })];
}
