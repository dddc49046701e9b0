// The driver of the served app: view state comes from Python, moves go to Python.

import { createLine } from "../served/line.js";
import { mount } from "./front.js";
import { saveText } from "./saving.js";

// Another page, or a notebook, keeps its address and its ground to itself.
function isOurPage() {
  return document.body.dataset.overlap !== undefined;
}

// The page of our own server takes the ground of the theme, also below the widget.
function matchPage(root) {
  if (isOurPage()) document.body.style.background = getComputedStyle(root).backgroundColor;
}

// A page of ours has the state in its address; Python can write the page as a file.
function pagePlace() {
  const { origin, pathname } = location;
  const write = (address) =>
    history.replaceState(history.state, "", `?${address}${location.hash}`);
  return {
    link: (address) => (isOurPage() ? `${origin}${pathname}?${address}` : null),
    write: isOurPage() ? write : null,
    canExport: true,
    isBare: isOurPage() && location.search === "",
  };
}

// What the parts say, which come as texts; the same object as long as the text is the same.
function createParser() {
  const latest = {};
  return (model) => {
    for (const part of ["view", "figures", "sweep", "map", "ranks", "upload"]) {
      const text = model[part];
      if (latest[part]?.text !== text) latest[part] = { text, value: JSON.parse(text) };
    }
    return Object.fromEntries(Object.entries(latest).map(([part, { value }]) => [part, value]));
  };
}

/** `config` and `shown`, told once the figures are drawn, are of a page of our server. */
export function render({ model, el, view, config = model.config, shown = () => {} }) {
  const root = document.createElement("div");
  el.append(root);
  const line = createLine({ model, view, root, isOurs: isOurPage() },
    { lost: () => front.lost(), show: () => show() });
  const front = mount(root, config, line.send, pagePlace());
  const parsed = createParser();
  let waiting = false;
  const show = () => {
    waiting = false;
    const { view: state, upload: sent, ...parts } = parsed(model);
    const upload = sent.id === undefined ? null : sent;
    front.update(line.seen({ ...state, ...parts, upload, seq: model.seq }));
  };
  // Several parameters arrive as one change: show them together, once.
  const soon = () => {
    if (!waiting) queueMicrotask(show);
    waiting = true;
  };
  model.on(line.parts, soon);
  const themed = new MutationObserver(() => matchPage(root));
  themed.observe(root, { attributes: true, attributeFilter: ["data-theme"] });
  model.on("msg:custom", ({ file }) => saveText(file.name, file.text));
  model.on("remove", () => {
    themed.disconnect();
    line.destroy();
    front.destroy();
  });
  show();
  front.ready.then(shown).then(line.goOn());
}
