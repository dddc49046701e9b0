// All steps of a recording as bars beside each other: a slider that chooses one of them.

import { make, setAttribute, setText } from "./elements.js";
import { stepName } from "./pickers.js";
import { timeText } from "./quantities.js";

const SIGNS = { cut: "✕", long: "▲", short: "▼" };
const LISTED = ["cut", "long", "short"];
const MOST_NAMED = 6;
const MOST_APART = 60; // bars with gaps between them
const WIDEST_EM = 3; // of a bar
const JUMP = 10; // steps, of Page Up and Page Down

/** `show(measured)`; one step alone is no overview. */
export function createSteps({ words, id, outbox }) {
  const bars = make("div", { class: "overlap-bars", "aria-hidden": "true" });
  const key = make("p", { id: id("steps-key"), class: "overlap-hint" }, words("steps.key"));
  const odd = make("p", { id: id("steps-odd"), class: "overlap-hint" });
  const now = make("p", { class: "overlap-now" });
  const slider = make("div", {
    class: "overlap-pad overlap-steps-pad", role: "slider", tabindex: 0, "aria-valuemin": 1,
    "data-tells": "exposed", "aria-label": words("pick.step"), "aria-describedby": `${key.id} ${odd.id}`,
    keydown: press, click: pick,
  }, bars, make("span", { class: "overlap-keys" }, words("steps.hint")));
  const element = make("section", { class: "overlap-steps", "aria-label": words("steps.title") },
    key, slider, now, odd);
  let [steps, at, drawn] = [[], 0, ""];

  function go(step) {
    const chosen = Math.min(Math.max(step, 0), steps.length - 1);
    if (chosen === at) return;
    at = chosen;
    outbox.postLatest("step", { type: "step", value: at });
    tell();
  }
  function press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const to = {
      ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1,
      PageDown: at - JUMP, PageUp: at + JUMP, Home: 0, End: steps.length - 1,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    go(to);
  }
  function pick({ clientX }) {
    const { left, width } = bars.getBoundingClientRect();
    go(Math.floor(((clientX - left) / width) * steps.length));
  }
  function draw() {
    const longest_s = Math.max(...steps.map((step) => step.span_s), Number.MIN_VALUE);
    bars.replaceChildren(...steps.map((step) => barOf(step, longest_s)));
    bars.style.maxWidth = `${WIDEST_EM * steps.length}em`;
    bars.classList.toggle("overlap-many", steps.length > MOST_APART);
    setText(odd, oddText(words, steps));
    odd.hidden = odd.textContent === "";
  }
  function tell() {
    const text = stepText(words, steps, at);
    setAttribute(slider, "aria-valuemax", steps.length);
    setAttribute(slider, "aria-valuenow", at + 1);
    setAttribute(slider, "aria-valuetext", text);
    setText(now, text);
    [...bars.children].forEach((bar, step) => setAttribute(bar, "data-now", step === at));
  }
  return {
    element,
    show({ steps: shown, step }) {
      steps = shown;
      element.hidden ||= steps.length < 2; // or not asked for
      if (outbox.isSettled("step")) at = step;
      if (element.hidden) return;
      at = Math.min(at, steps.length - 1); // another recording may have fewer
      const all = JSON.stringify(steps);
      if (all !== drawn) draw();
      drawn = all;
      tell();
    },
  };
}

/** As high as the step is long; hatched as high as what is exposed of it. */
function barOf({ span_s, exposed_s, remark, complete }, longest_s) {
  const share = (time_s) => `${(100 * time_s) / longest_s}%`;
  const exposed = make("div", { class: "overlap-bar-exposed" });
  exposed.style.height = span_s > 0 ? `${(100 * exposed_s) / span_s}%` : "0";
  const bar = make("div", { class: complete ? "overlap-bar" : "overlap-bar overlap-bar-cut" }, exposed);
  bar.style.height = share(span_s);
  return make("div", {}, make("span", { class: "overlap-sign" }, SIGNS[remark] ?? ""), bar);
}

/** A step in words: where it stands, how long it takes, and what to know of it. */
function stepText(words, steps, at) {
  const { name, span_s, exposed_s, remark, default: isDefault } = steps[at];
  const values = { at: at + 1, count: steps.length, span: timeText(span_s), exposed: timeText(exposed_s) };
  return [
    words("steps.now", { name: stepName(words, name), ...values }),
    remark === "none" ? "" : words(`steps.remark.${remark}`),
    isDefault ? words("steps.default") : "",
  ].filter(Boolean).join(" ");
}

/** The steps that stand out, by name. */
function oddText(words, steps) {
  return LISTED.map((remark) => {
    const names = steps.filter((step) => step.remark === remark).map(({ name }) => stepName(words, name));
    if (names.length === 0) return "";
    const rest = names.length - MOST_NAMED;
    const listed = names.slice(0, MOST_NAMED).join(", ");
    const text = rest > 0 ? words("steps.more", { listed, count: rest }) : listed;
    return words(`steps.list.${remark}`, { sign: SIGNS[remark], steps: text });
  }).filter(Boolean).join(" ");
}
