// Which step is compared with, as `app/against.py` chooses it, and both on one time axis.

/** What a move of the choosers leaves: a {recording, device, step}, or null for nothing. */
export function chosenAgainst(recordings, chosen, against, kind, index) {
  if (kind === "against") return index < 0 ? null : fittingStep(recordings, chosen, index);
  if (!against) return null;
  const { devices, steps } = recordings[against.recording];
  return kind === "against_device"
    ? { ...against, device: placeWithin(index, devices) }
    : { ...against, step: placeWithin(index, steps[0]) };
}

function fittingStep(recordings, chosen, index) {
  const recording = Math.min(index, recordings.length - 1);
  const { devices, steps: [steps], default_step } = recordings[recording];
  const device = Math.min(chosen.device, devices.length - 1);
  if (recording === chosen.recording) {
    const step = chosen.step ? chosen.step - 1 : Math.min(1, steps.length - 1);
    return { recording, device, step };
  }
  const { name } = recordings[chosen.recording].steps[0][chosen.step];
  const same = steps.findIndex((step) => step.name === name);
  return { recording, device, step: same < 0 ? default_step : same };
}

function placeWithin(index, items) {
  return Math.min(Math.max(index, 0), items.length - 1);
}

/** The figures of both steps on the time axis of the longer one. */
export function bothFigures(shown, before) {
  const frame = `${shown.frame} ${before.frame}`;
  const [one, other] = [shown, before].map(({ ranges }) => ranges.recording_x);
  const longer = other.end > one.end ? other : one;
  const onIt = (figure) =>
    ({ ...figure, frame, ranges: { ...figure.ranges, recording_x: longer } });
  return { recording: onIt(shown), against: onIt(before) };
}
