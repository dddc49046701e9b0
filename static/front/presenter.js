// What whoever shows the page to a room has in hand: projector, presets, blank, keys.

import { createBlank } from "./blank.js";
import { createSwitch } from "./display.js";
import { make } from "./elements.js";
import { isShown } from "./focus.js";
import { resetAll } from "./guess.js";
import { createKeys } from "./keys.js";
import { createKeysHelp } from "./keys_help.js";
import { createPresets } from "./presets.js";
import { createProjector } from "./projector.js";

/**
 * `display` is the fold that gets the switch of the keys, `share` the panel,
 * `predict` what covers and reveals; `onTurn` is the projector’s. `element` goes into the page, `more` and `over`
 * into its header, `presets` into Explore.
 */
export function createPresenter(root, config, context, { display, share, predict, onTurn }) {
  const { words, announcer, keys } = context;
  const projector = createProjector(root, context, onTurn);
  const blank = createBlank(root, context);
  const presets = createPresets(config.presets, context);
  const acts = createActs(root, config, context,
    { blank, projector, share, predict, viewNow: () => view, help: () => help });
  const help = createKeysHelp(context, (name) => acts[name]());
  const isOn = createSwitch(words("keys.switch"), (on) => (keys.isOn = on));
  const all = make("button", { type: "button", click: () => help.open(view.state) }, words("keys.open"));
  let view = null;

  isOn.set(keys.isOn);
  display.add("controls.projector", make("div", { class: "overlap-keys-switch" }, isOn.element, all));
  const pressed = createKeys(root, {
    acts,
    leave() {
      display.close();
      if (!share.close() && blank.isOn()) acts.blank();
    },
    preset(at) {
      const name = presets.choose(at);
      if (name === null) return false;
      return announcer.note(`${name}.`);
    },
  }, () => keys.isOn, () => view.state);
  return {
    element: help.element,
    over: blank.element,
    more: projector.more,
    presets,
    isBlank: blank.isOn,
    show(shown) {
      view = shown;
      projector.show(view.state, display.button);
      presets.show(view);
    },
    destroy() {
      projector.destroy();
      pressed.destroy();
    },
  };
}

/** What each key does; false where it can do nothing now. */
function createActs(root, { lesson }, { words, outbox, announcer, guess, lesson: memory }, parts) {
  const { blank, projector, share, predict, viewNow, help } = parts;
  const scrolls = createScrolls(root);
  const say = (key, values) => announcer.note(words(key, values));
  const steps = lesson.map(({ name }) => name);
  const step = (way) => {
    const isThere = memory.isOver || steps.indexOf(viewNow().state.lesson) + way >= 0;
    return isThere && memory.move(way);
  };
  const turned = (name, isOn) => say(`said.${isOn ? "on" : "off"}`, { name });
  return {
    next: () => step(1),
    back: () => step(-1),
    ask: () => !viewNow().covered && predict.lead(predict.ask),
    reveal: () => predict.lead(predict.reveal),
    best() {
      const { best_bucket: best } = viewNow().explore?.numbers ?? {};
      return best !== undefined && outbox.set("bucket", best);
    },
    reset() {
      resetAll({ outbox, guess });
      announcer.note(`${words("control.reset")}.`);
    },
    blank: () => say(blank.turn() ? "said.blank" : "said.shown"),
    projector() {
      const isOn = viewNow().state.projector === "off";
      outbox.set("projector", isOn ? "on" : "off");
      turned(words("control.projector"), isOn);
    },
    theme() {
      const theme = root.dataset.theme === "dark" ? "light" : "dark";
      if (viewNow().state.projector === "on") return false; // always light
      outbox.set("theme", theme);
      return say(`theme.${theme}`);
    },
    share: share.turn,
    tables: () => turnTables(root, projector, scrolls, (isOpen) => turned(words("said.tables"), isOpen)),
    fullscreen: () => turnFullscreen(root),
    help: () => help().open(viewNow().state),
  };
}

/** Open the tables of what is shown, or close them where all are open. */
function turnTables(root, projector, scrolls, told) {
  const tables = [...root.querySelectorAll(".overlap-table:not(.overlap-meanings)")]
    .filter((one) => !one.closest("[hidden]"));
  const isOpen = tables.some((one) => !one.open || !one.checkVisibility());
  if (tables.length === 0) return false;
  if (isOpen) scrolls.keep();
  if (root.dataset.projector !== undefined) projector.unfold(isOpen);
  for (const one of tables) {
    one.open = isOpen;
    one.dispatchEvent(new Event("toggle")); // its own comes too late: rows have a height
  }
  if (isOpen) tables.find(isShown)?.scrollIntoView();
  else scrolls.restore();
  return told(isOpen);
}

/** How far all is scrolled that `root` stands in, to go back there once. */
function createScrolls(root) {
  let kept = [];
  return {
    keep() {
      kept = [];
      for (let one = root; one; one = one.parentNode ?? one.host) {
        if (one.scrollTop !== undefined) kept.push([one, one.scrollTop]);
      }
    },
    restore() {
      for (const [one, top] of kept) one.scrollTop = top;
      kept = [];
    },
  };
}

function turnFullscreen(root) {
  if (document.fullscreenElement) return document.exitFullscreen();
  const isOurs = document.body.dataset.overlap !== undefined;
  const target = isOurs ? document.documentElement : root;
  return document.fullscreenEnabled && target.requestFullscreen().catch(() => {});
}
