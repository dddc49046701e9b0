// The front: view state in, moves out. It computes no number of the model.

import { createAddress } from "./address.js";
import { createAnnouncer } from "./announcer.js";
import { acceptDrops } from "./drops.js";
import { make } from "./elements.js";
import { createExplore } from "./explore.js";
import { embedFigures } from "./figures.js";
import { createHeader } from "./header.js";
import { createMeasured, measuredVerdict } from "./measured.js";
import { createOutbox } from "./moves.js";
import { createNotices } from "./notices.js";
import { createPrint } from "./print.js";
import { changeText } from "./sentences.js";
import { createTheme, roleReader } from "./theme.js";
import { createUpload } from "./upload.js";
import { wordsFrom } from "./words.js";

const ZOOM = 2;
const PAN = 0.5;
let mounts = 0;

/**
 * Build the widget in `root`. `config` is {strings, controls, choices, scenarios, levels,
 * figures, limits}; `send(move)` takes each move. Returns `update(view)`, which draws a whole
 * view state, `lost()`, which says at once that the driver is gone, and `destroy()`.
 */
export function mount(root, config, send) {
  const context = createContext(config, send);
  const page = createPage(root, config, context);
  const { outbox, notices, address, announcer } = context;
  let latest = null;
  let heard = null;

  function listen(view) {
    heard ??= view;
    announcer.say(() => {
      if (!outbox.isIdle()) return "";
      const text = heardText(context.words, config.scenarios, heard, latest);
      heard = latest;
      return text;
    });
  }
  return {
    update(view) {
      latest = view;
      outbox.answered(view.seq);
      notices.forget(context.words("error.silent"));
      notices.show(view.notices ?? []);
      page.show(view);
      address.write(view.address);
      listen(view);
    },
    lost() {
      notices.tell(context.words("error.silent"));
    },
    destroy() {
      for (const part of [outbox, address, announcer, page]) part.destroy();
      root.replaceChildren();
    },
  };
}

/** What all parts share: words, ids that are unique on the page, the ways out. */
function createContext(config, send) {
  mounts += 1;
  const prefix = `overlap-${mounts}`;
  const words = wordsFrom(config.strings);
  const notices = createNotices(words);
  const silent = () => notices.tell(words("error.silent"));
  return {
    words,
    id: (name) => `${prefix}-${name}`,
    outbox: createOutbox(send, silent),
    notices,
    address: createAddress(),
    announcer: createAnnouncer(),
  };
}

function createPage(root, config, context) {
  const { words, notices, announcer } = context;
  const colourOf = roleReader(root);
  const theme = createTheme(root, () => figures.paint(colourOf));
  const header = createHeader(context, (chosen) => theme.choose(chosen));
  const explore = createExplore(config, context);
  const upload = createUpload(config.limits, context);
  const measured = createMeasured(context, upload.chooser, (way) => figures.navigate(way));
  const modes = { explore, measured };
  root.classList.add("overlap");
  root.append(
    make(landmark(), { class: "overlap-page", "aria-label": words("region.widget") },
      header.element, notices.element, upload.progress, explore.element, measured.element,
      announcer.element),
  );
  acceptDrops(root, upload.open);
  const places = { ...explore.places, recording: measured.recording };
  const figures = createFigures(config.figures, places, context, colourOf, explore.pick);
  const drawn = {};
  function drawFigures(view) {
    for (const part of ["sweep", "map"]) {
      if (view[part] !== drawn[part]) figures.apply(view[part]?.figures ?? {});
      drawn[part] = view[part];
    }
    figures.apply(view.figures);
  }
  const print = createPrint(places, { colours: theme.print, refit: figures.refit });
  return {
    show(view) {
      theme.choose(view.state.theme);
      header.show(view.state);
      upload.show(view.upload);
      for (const [name, mode] of Object.entries(modes)) {
        mode.element.hidden = name !== view.state.mode;
        mode.show(view);
      }
      drawFigures(view);
    },
    destroy() {
      print.destroy();
      theme.destroy();
      figures.destroy();
    },
  };
}

/** The figures, which may come later than the first view. */
function createFigures(items, places, { words, outbox, notices }, colourOf, pick) {
  let embedded = null;
  let waiting = null;
  let isGone = false;

  function start(figures) {
    if (isGone) {
      figures.destroy();
      return;
    }
    embedded = figures;
    embedded.paint(colourOf);
    if (waiting) embedded.apply(waiting);
    embedded.onPick(pick);
    embedded.onWindow(({ start: start_ms, end: end_ms }) => outbox.postLatest("window",
      { type: "window", start_s: start_ms / 1e3, end_s: end_ms / 1e3 }));
  }
  embedFigures(items, places).then(start, () => notices.tell(words("error.figures")));
  return {
    apply(states) {
      waiting = joined(waiting ?? {}, states);
      embedded?.apply(states);
    },
    refit: () => waiting && embedded?.apply(waiting),
    paint: (colour) => embedded?.paint(colour),
    navigate: (way) => embedded && navigateFigure(embedded, way),
    destroy() {
      isGone = true;
      embedded?.destroy();
    },
  };
}

/** The states of figures with what a later one gives; the rest stays as it is. */
function joined(states, later) {
  const both = { ...states };
  for (const [name, state] of Object.entries(later)) {
    both[name] = { ...both[name], ...state };
    for (const part of ["sources", "props"]) both[name][part] = { ...states[name]?.[part], ...state[part] };
  }
  return both;
}

/** `main` unless the page around the widget has one already. */
function landmark() {
  return document.querySelector("main, [role=main]") ? "section" : "main";
}

function navigateFigure(figures, way) {
  if (way === "fit") figures.fit();
  else if (way === "in" || way === "out") figures.zoom(way === "in" ? ZOOM : 1 / ZOOM);
  else figures.pan(way === "later" ? PAN : -PAN);
}

function heardText(words, scenarios, before, now) {
  if (now.state.mode === "explore") return changeText(words, scenarios, before, now);
  const textOf = ({ measured }) =>
    measured ? measuredVerdict(words, measured).map((part) => part.textContent ?? part).join("") : "";
  return textOf(before) === textOf(now) && before.state.mode === now.state.mode ? "" : textOf(now);
}
