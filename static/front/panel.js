// The driver of the served app: view state comes from Python, moves go to Python.

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

export function render({ model, el, view }) {
  const root = document.createElement("div");
  el.append(root);
  const front = mount(root, model.config, (move) => model.send_msg(move), pagePlace());
  let waiting = false;
  const show = () => {
    waiting = false;
    const { view: state, figures, sweep, map, ranks, seq } = model;
    const upload = model.upload.id === undefined ? null : model.upload;
    front.update({ ...state, figures, sweep, map, ranks, upload, seq });
  };
  // Several parameters arrive as one change: show them together, once.
  const soon = () => {
    if (!waiting) queueMicrotask(show);
    waiting = true;
  };
  view.model.document.on_event("connection_lost", () => front.lost());
  model.on(["view", "figures", "sweep", "map", "ranks", "upload", "seq"], soon);
  const themed = new MutationObserver(() => matchPage(root));
  themed.observe(root, { attributes: true, attributeFilter: ["data-theme"] });
  model.on("msg:custom", ({ file }) => saveText(file.name, file.text));
  model.on("remove", () => {
    themed.disconnect();
    front.destroy();
  });
  show();
}
