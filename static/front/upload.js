// Files on their way to the driver: one after another, in pieces, until cancelled.

import { make, setAttribute, setText } from "./elements.js";
import { sizeText } from "./quantities.js";

const PIECE_BYTES = 2 ** 20;
const LOCAL_HOSTS = ["localhost", "127.0.0.1", "[::1]", ""];
let uploads = 0; // of the page, so that no two have the same id

/**
 * `chooser` opens files, `progress` tells how far the current one is, in both modes.
 * `open(files)` adds to those that wait; `show(upload)` goes on with the current one.
 */
export function createUpload(limits, context) {
  if (limits.upload_bytes === undefined) return createNoUpload(context.words);
  const { words, id, outbox, notices } = context;
  const chooser = createChooser(limits, words, id, open);
  const progress = createProgress(words, cancel);
  const waiting = [];
  let current = null;

  function open(files) {
    for (const file of files) {
      if (file.size > limits.upload_bytes) refuse(file);
      else waiting.push(file);
    }
    if (current) progress.show(current.shown, waiting.length);
    else openNext();
  }
  function refuse({ name, size }) {
    const limit = sizeText(limits.upload_bytes);
    notices.tell(words("error.too_big", { name, size: sizeText(size), limit }));
  }
  function openNext() {
    const file = waiting.shift();
    if (!file) {
      current = null;
      progress.show(null);
      return;
    }
    if (current) notices.keep(); // what was said of the file before this one
    const { name, size: size_bytes } = file;
    const shown = { state: "receiving", received_bytes: 0, name, size_bytes };
    uploads += 1;
    current = { id: `${Date.now()}-${uploads}`, file, shown, sentTo: 0, isSent: false };
    progress.show(shown, waiting.length);
    sendPiece(current);
  }
  async function sendPiece(upload) {
    const { id: uploadId, file, sentTo: offset } = upload;
    const end = Math.min(offset + PIECE_BYTES, file.size);
    upload.isSent = false;
    try {
      const data = await file.slice(offset, end).arrayBuffer();
      if (current !== upload) return;
      const { name, size: size_bytes } = file;
      const piece = { id: uploadId, name, size_bytes, offset, last: end === size_bytes, data };
      Object.assign(upload, { sentTo: end, isSent: true });
      outbox.post({ type: "upload", ...piece });
    } catch {
      if (current !== upload) return;
      notices.tell(words("error.unreadable", { name: file.name }));
      cancel();
    }
  }
  function cancel() {
    if (current?.sentTo > 0 || current?.isSent) {
      outbox.post({ type: "cancel_upload", id: current.id });
    }
    openNext();
  }
  /** The driver's answer to the piece that was sent last. */
  function follow(upload) {
    current.shown = upload;
    progress.show(upload, waiting.length);
    if (upload.state === "failed" && upload.text) notices.tell(upload.text);
    if (["done", "failed"].includes(upload.state)) openNext();
    else if (upload.received_bytes >= current.sentTo && current.sentTo < current.file.size)
      sendPiece(current);
  }
  return {
    chooser,
    progress: progress.element,
    open,
    show(upload) {
      if (!current?.isSent || !outbox.isIdle()) return;
      if (upload?.id === current.id) follow(upload);
      else openNext(); // the driver has read it, or refused it with a notice
    },
  };
}

/** A page without a driver that takes files says how to see one. */
function createNoUpload(words) {
  return {
    chooser: make("p", { class: "overlap-upload overlap-hint" }, words("upload.none")),
    progress: make("div", { hidden: true }),
    open: null,
    show() {},
  };
}

function createChooser(limits, words, id, open) {
  const change = () => {
    open([...input.files]);
    input.value = "";
  };
  const input = make("input",
    { type: "file", multiple: true, id: id("file"), class: "overlap-unseen", change });
  return make(
    "div",
    { class: "overlap-upload" },
    make("label", { class: "overlap-button" }, input, words("upload.choose")),
    make("p", { class: "overlap-hint" }, promiseText(limits, words)),
  );
}

function promiseText(limits, words) {
  const { hostname, host } = window.location;
  const where = LOCAL_HOSTS.includes(hostname) ? "upload.local" : "upload.server";
  return words(where, { host, limit: sizeText(limits.upload_bytes) });
}

/** `show(upload, behind)` tells of a file and how many wait behind it; null hides it. */
function createProgress(words, cancel) {
  const bar = make("progress", { "aria-label": words("upload.progress") });
  const button = make("button", { type: "button", click: () => cancel() }, words("upload.cancel"));
  const status = make("p", { role: "status" });
  const element = make("div", { class: "overlap-running", hidden: true }, status, bar, button);
  return {
    element,
    show(upload, behind = 0) {
      element.hidden = !upload;
      setText(status, upload ? statusText(words, upload, behind) : "");
      if (!upload) return;
      const isReceiving = upload.state === "receiving";
      setAttribute(bar, "max", upload.size_bytes || 1);
      setAttribute(bar, "value", isReceiving ? upload.received_bytes : null);
    },
  };
}

function statusText(words, upload, behind) {
  const [received, size] = [upload.received_bytes ?? 0, upload.size_bytes ?? 0].map(sizeText);
  const text = words(`upload.${upload.state}`, { name: upload.name, received, size });
  return behind > 0 ? `${text}, ${words.count("behind", behind)}` : text;
}
