// Files and folders dropped anywhere on the widget: without this the browser leaves the page.

import { droppedFiles } from "./file_batches.js";

/** Marks `element` while files are over it; `open(files)` takes what is dropped. */
export function acceptDrops(element, open) {
  const mark = (isOver) => element.classList.toggle("overlap-dropping", isOver);
  const listeners = {
    dragover: (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      mark(true);
    },
    dragleave: (event) => {
      if (!element.contains(event.relatedTarget)) mark(false);
    },
    drop: (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      mark(false);
      droppedFiles(event.dataTransfer).then(open);
    },
  };
  for (const [name, listener] of Object.entries(listeners)) {
    element.addEventListener(name, listener);
  }
}
