// The front: view state in, moves out. It computes no number of the model.

import { createAddress } from "./address.js";
import { createAnnouncer } from "./announcer.js";
import { comparedText } from "./compare.js";
import { createDisplay } from "./display.js";
import { acceptDrops } from "./drops.js";
import { make } from "./elements.js";
import { toldByFocus } from "./focus.js";
import { createExplore } from "./explore.js";
import { createFigures } from "./late_figures.js";
import { createHeldAxes } from "./figure_ranges.js";
import { createGuess, stepKey } from "./guess.js";
import { createHeader } from "./header.js";
import { languageOptions, rememberPlaces, tellLanguage } from "./languages.js";
import { createLesson } from "./lesson.js";
import { createLessonMemory } from "./lesson_checks.js";
import { createMeasured } from "./measured.js";
import { measuredVerdict } from "./measured_numbers.js";
import { createOutbox } from "./moves.js";
import { createNotices } from "./notices.js";
import { createPredict } from "./predict.js";
import { createPresenter } from "./presenter.js";
import { createPrint } from "./print.js";
import { createPrintPage } from "./print_page.js";
import { themeOf } from "./projector.js";
import { createRareFigures } from "./rare_figures.js";
import { createShare } from "./share.js";
import { changeText } from "./sentences.js";
import { createTheme, roleReader } from "./theme.js";
import { createUpload } from "./upload.js";
import { wordsFrom } from "./words.js";

const NO_ANSWER = { key: "error.silent", values: {} };
let mounts = 0;

/**
 * Build the widget in `root`. `config` is {strings, controls, choices, scenarios, levels,
 * figures, limits}; `strings` are the texts by language, and without `limits.upload_bytes`
 * no files can be opened. `send(move)` takes each move. `place` says where the widget stands:
 * - `link(address)`: the URL that leads to a state, or null where the page has none;
 * - `write(address)`: keeps the state in the address of the page, once moves rest; a page
 *   that isn't the widget's own leaves it out;
 * - `isBare`: whether its address names no settings, as it does for who comes without a link;
 * - `canExport`: whether the driver answers `{type: "export"}` with the page as a file.
 *
 * Returns `update(view)`, which draws a whole view state, and builds the page anew in another
 * language; `lost()`, which says that the driver is gone; `destroy()`; and promises that are
 * kept once figures are drawn, or can't be: `first`, the one in view, and `ready`, all.
 */
export function mount(root, config, send, place = { link: () => null }) {
  const silent = () => context?.notices.tell(NO_ANSWER);
  const lasting = createLasting(send, place, silent);
  const { outbox, address, announcer } = lasting;
  const [first, ready] = [Promise.withResolvers(), Promise.withResolvers()];
  let context = null; // and `page`: in the language of the latest view
  let page = null;
  let latest = null;
  let heard = null;
  root.classList.add("overlap");
  if (config.limits.upload_bytes !== undefined) acceptDrops(root, (files) => page?.open(files));

  function build(lang) {
    const restore = page ? rememberPlaces(root) : () => () => {};
    page?.destroy();
    root.replaceChildren();
    context = createContext(config, lasting, lang);
    page = createPage(root, config, context, place);
    tellLanguage(root, lang, context.words);
    for (const [name, one] of Object.entries({ first, ready })) page[name].then(one.resolve);
    return restore;
  }
  function listen(view) {
    heard ??= view;
    announcer.say(() => {
      if (!outbox.isIdle()) return "";
      const text = page.isBlank() ? "" : page.heard(heard, latest, (told = []) =>
        heardText(context.words, config.scenarios, heard, latest, [...toldByFocus(root), ...told]));
      heard = latest;
      return text;
    });
  }
  return {
    first: first.promise,
    ready: ready.promise,
    update(view) {
      const { lang = "en" } = view.state;
      const restore = context?.lang === lang ? null : build(lang);
      if (restore || (view.covered && !latest?.covered)) announcer.forget();
      latest = view;
      outbox.answered(view.seq);
      context.notices.forget(NO_ANSWER);
      context.notices.show(view.notices ?? []);
      page.show(view);
      if (restore) page.drawn().then(restore());
      address.write(view.address);
      listen(view);
    },
    lost: outbox.lost,
    destroy() {
      for (const part of [outbox, address, announcer, page]) part?.destroy();
      root.replaceChildren();
    },
  };
}

/** What stays while the page is built anew: the ways out, what is heard and under way. */
function createLasting(send, place, silent) {
  mounts += 1;
  const prefix = `overlap-${mounts}`;
  return {
    id: (name) => `${prefix}-${name}`,
    outbox: createOutbox(send, silent),
    address: createAddress(place.write),
    announcer: createAnnouncer(),
    said: { own: [], ofBatch: [] }, // notices
    lesson: createLessonMemory(place.isBare),
    keys: { isOn: true }, // the presenter's
    queue: { waiting: [], skipped: [], current: null }, // files that are sent
    guess: createGuess(),
    axesOf: createHeldAxes(stepKey),
    tries: { isAsked: false, isBack: false }, // on the way from a recording to Explore, or back
  };
}

/** What all parts of a page share: its words, ids that are unique, the ways out. */
function createContext(config, lasting, lang) {
  const words = wordsFrom(config.strings[lang] ?? config.strings.en, lang);
  return {
    ...lasting,
    lang,
    words,
    languages: languageOptions(config.strings),
    takesFiles: config.limits.upload_bytes !== undefined, // Python answers
    notices: createNotices(words, lasting.said),
  };
}

function createPage(root, config, context, place) {
  const { words, notices, announcer } = context;
  const colourOf = roleReader(root);
  const theme = createTheme(root, () => [figures, rare].forEach((some) => some.paint(colourOf)));
  const share = createShare(config, context, place, () => page.offsetHeight - share.panel.offsetHeight);
  const display = createDisplay(context, (chosen) => theme.choose(chosen));
  const predict = createPredict(config, context);
  const presenter = createPresenter(root, config, context,
    { display, predict, share, onTurn: theme.again });
  const buttons = { predict: predict.button, more: presenter.more, share: share.button };
  const header = createHeader(context, buttons, display, () => lesson.start());
  header.element.append(presenter.over);
  const lesson = createLesson(config, context);
  const explore = createExplore(config, context, presenter.presets);
  const upload = createUpload(config.limits, context);
  const measured = createMeasured(context, upload.chooser, (way) => figures.navigate(way));
  const modes = { explore, measured };
  const page = make(landmark(), { class: "overlap-page", "aria-label": words("region.widget") },
    header.element, share.panel, notices.element, upload.progress, ...lesson.elements,
    explore.element, measured.element, announcer.element, presenter.element);
  root.append(page);
  const places = { ...explore.places, recording: measured.recording };
  const figures = createFigures(config.figures, places, context, colourOf,
    { pick: explore.pick, look: (start, end) => rare.look(start, end) });
  predict.plantOn(places, figures.ready);
  const items = { ...config.figures, against: config.figures.recording }; // the same lanes
  const rare = createRareFigures(items, measured.places, context, colourOf,
    { pick: measured.pick, look: (start, end) => figures.look(start, end) });
  const drawn = { sizes: words("axis.bucket") };
  function drawSizesAxes() {
    if (words("axis.bucket") === drawn.sizes) return;
    drawn.sizes = words("axis.bucket");
    const axis_label = "axis.bucket";
    const axes = { curve: "curve_sizes", map: "map_sizes" };
    figures.apply(Object.fromEntries(Object.entries(axes).map(([name, axis]) =>
      [name, { props: { [axis]: { axis_label } } }])));
  }
  function drawFigures(view) {
    drawSizesAxes();
    for (const part of ["sweep", "map"]) {
      if (view[part] !== drawn[part]) figures.apply(view[part]?.figures ?? {});
      drawn[part] = view[part];
    }
    if (view.ranks !== drawn.ranks) rare.apply(view.ranks?.figures ?? {});
    drawn.ranks = view.ranks;
    figures.apply(context.axesOf(view));
    rare.apply(view.figures);
    if (view.covered) {
      figures.clear(Object.keys(view.figures));
      rare.drop();
    }
    if (!view.figures?.against) rare.forget("against");
  }
  const refit = () => [figures, rare].forEach((some) => some.refit());
  const paper = createPrintPage(root, words, () => place.link(drawn.address));
  const print = createPrint({ ...places, ...measured.places }, paper, { colours: theme.print, refit });
  return {
    first: figures.first, ready: figures.ready,
    drawn: () => Promise.all([figures.ready, rare.ready()]),
    open: (files) => upload.open?.(files),
    heard: (before, now, changed) => lesson.heard(before, now, predict.heard(), changed),
    show(view) {
      words.ofRun(Boolean(view.explore && view.controls?.scenario?.run));
      theme.choose(themeOf(view.state));
      header.show(view.state);
      presenter.show(view);
      upload.show(view.upload);
      for (const [name, mode] of Object.entries(modes)) {
        mode.element.hidden = name !== view.state.mode;
        mode.show(view);
      }
      predict.placeIn(view.state.lesson === "off" ? modes[view.state.mode].answer : lesson.asking);
      predict.show(view, Object.values(modes).map(({ answer }) => answer));
      lesson.show(view);
      share.show(view);
      drawn.address = view.address;
      drawFigures(view);
    },
    isBlank: presenter.isBlank,
    destroy() {
      display.destroy();
      presenter.destroy();
      print.destroy();
      predict.destroy();
      theme.destroy();
      figures.destroy();
      rare.destroy();
    },
  };
}

/** `main` unless the page around the widget has one already. */
function landmark() {
  return document.querySelector("main, [role=main]") ? "section" : "main";
}

function recordedVerdict(words, measured) {
  return measuredVerdict(words, measured).map((part) => part.textContent ?? part).join("");
}

function heardText(words, scenarios, before, now, told) {
  if (now.state.mode === "explore") return changeText(words, scenarios, before, now, told);
  if (before.covered || now.covered || !now.measured) return "";
  const isBack = before.state.mode !== now.state.mode || !before.measured;
  const newOf = (textOf) => {
    const text = textOf(words, now.measured);
    return isBack || text !== textOf(words, before.measured) ? text : "";
  };
  const verdict = told.includes("exposed") ? "" : newOf(recordedVerdict);
  return [verdict, newOf(comparedText)].filter(Boolean).join(" ");
}
