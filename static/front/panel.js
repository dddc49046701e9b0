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

/** `config` and `shown`, told once the figure in view is drawn, are of a page of our server. */
export function render({ model, el, view, config = model.config, shown = () => {} }) {
  const root = document.createElement("div");
  el.append(root);
  const line = createLine({ model, view, root, isOurs: isOurPage() }, () => front.lost());
  const front = mount(root, config, line.send, pagePlace());
  const latest = {}; // of each part: those that don't come again stay the same objects
  const show = (text) => {
    const { view: state, upload, ...parts } = Object.assign(latest, JSON.parse(text));
    const sent = upload.id === undefined ? null : upload;
    front.update(line.seen({ ...state, ...parts, upload: sent }));
  };
  const themed = new MutationObserver(() => matchPage(root));
  themed.observe(root, { attributes: true, attributeFilter: ["data-theme"] });
  model.on("msg:custom", ({ parts, file }) => {
    if (parts) show(parts);
    if (file) saveText(file.name, file.text);
  });
  model.on("remove", () => {
    themed.disconnect();
    line.destroy();
    front.destroy();
  });
  show(model.start);
  front.first.then(shown);
  front.ready.then(() => (root.dataset.drawn = "")).then(line.goOn());
}
