// What a reader sees of files on their way: the buttons that open them, and the progress.

import { make, setAttribute, setText } from "./elements.js";
import { keepFocus } from "./focus.js";
import { chosenFiles } from "./file_batches.js";
import { sizeText } from "./quantities.js";

const LOCAL_HOSTS = ["localhost", "127.0.0.1", "[::1]", ""];
const WAYS = { choose: {}, folder: { webkitdirectory: true } };

/** Buttons that open files, or a folder; `open(files)` takes what is chosen. */
export function createChooser(limits, { words, id }, open) {
  const buttons = Object.entries(WAYS).map(([way, attributes]) => {
    const change = ({ target }) => {
      open(chosenFiles(target));
      target.value = "";
    };
    const input = make("input",
      { type: "file", multiple: true, id: id(way), class: "overlap-unseen", ...attributes, change });
    return make("label", { class: "overlap-button" }, input, words(`upload.${way}`));
  });
  return make("div", { class: "overlap-upload" },
    make("div", { class: "overlap-window" }, ...buttons),
    make("p", { class: "overlap-hint" }, promiseText(limits, words)));
}

/** A page without a driver that takes files says how to see one. */
export function createNoChooser(words) {
  return make("p", { class: "overlap-upload overlap-hint" }, words("upload.none"));
}

function promiseText(limits, words) {
  const { hostname, host } = window.location;
  const where = LOCAL_HOSTS.includes(hostname) ? "upload.local" : "upload.server";
  return words(where, { host, limit: sizeText(limits.upload_bytes) });
}

/**
 * `show(upload, behind)` tells of a file and how many wait behind it; null hides it. Focus
 * then goes to the first of `others` that can be seen.
 */
export function createProgress(words, { cancel, cancelAll }, others) {
  const bar = make("progress", { "aria-label": words("upload.progress") });
  const [one, all] = [["cancel", cancel], ["cancel_all", cancelAll]].map(([key, click]) =>
    make("button", { type: "button", click: () => click() }, words(`upload.${key}`)));
  const status = make("p", { role: "status" });
  const element = make("div", { class: "overlap-running", hidden: true }, status, bar, one, all);
  function draw(upload, behind) {
    element.hidden = !upload;
    all.hidden = behind === 0;
    setText(status, upload ? statusText(words, upload, behind) : "");
    if (!upload) return;
    const { state, size_bytes: size, received_bytes: received, read_share: share } = upload;
    const [value, most] = state === "reading" ? [share, 1] : [received, size];
    setAttribute(bar, "max", most || 1);
    setAttribute(bar, "value", state === "reading" && !share ? null : value);
  }
  return {
    element,
    show: (upload, behind = 0) => keepFocus(element, () => draw(upload, behind), one, ...others),
  };
}

function statusText(words, upload, behind) {
  const [received, size] = [upload.received_bytes ?? 0, upload.size_bytes ?? 0].map(sizeText);
  const text = words(`upload.${upload.state}`, { name: upload.name, received, size });
  return behind > 0 ? `${text}, ${words.count("behind", behind)}` : text;
}
