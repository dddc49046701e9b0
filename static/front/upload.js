// Files on their way to the driver: one after another, in pieces, until cancelled.

import { make } from "./elements.js";
import { batchOf } from "./file_batches.js";
import { sizeText } from "./quantities.js";
import { createChooser, createNoChooser, createProgress } from "./upload_parts.js";

const PIECE_BYTES = 2 ** 20;
const MOST_NAMED_FILES = 3;
const DONE = ["done", "failed", "held", "skipped"];
let uploads = 0; // of the page, so that no two have the same id

/**
 * `chooser` opens files, `progress` tells how far the current one is, in both modes.
 * `open(files)` adds to those that wait; `show(upload)` goes on with the current one.
 */
export function createUpload(limits, context) {
  const { words, outbox, notices } = context;
  if (limits.upload_bytes === undefined) return createNoUpload(words);
  const chooser = createChooser(limits, context, open);
  const progress = createProgress(words, { cancel, cancelAll },
    [chooser.querySelector("input"), notices.element]);
  const waiting = [];
  let skipped = []; // names of what isn't a trace
  let current = null;

  function open(chosen) {
    const { files, left } = batchOf(chosen);
    if (!current) notices.startBatch();
    for (const one of files) {
      if (one.file.size > limits.upload_bytes) refuse(one);
      else waiting.push(one);
    }
    if (left > 0) notices.keep([words("upload.too_many", { files: words.count("files", left) })]);
    if (current) progress.show(current.shown, waiting.length);
    else openNext();
  }
  function refuse({ name, file: { size } }) {
    const limit = sizeText(limits.upload_bytes);
    notices.keep([words("error.too_big", { name, size: sizeText(size), limit })]);
  }
  function openNext() {
    const one = waiting.shift();
    if (current) notices.keep(); // what was said of this file
    if (!one) {
      current = null;
      progress.show(null);
      tellSkipped();
      return;
    }
    const { name, file: { size: size_bytes } } = one;
    const shown = { state: "receiving", received_bytes: 0, name, size_bytes };
    uploads += 1;
    current = { ...one, id: `${Date.now()}-${uploads}`, shown, sentTo: 0, isSent: false };
    progress.show(shown, waiting.length);
    sendPiece(current);
  }
  async function sendPiece(upload) {
    const { id, name, batch, isHeld: held, isFound: found, file, sentTo: offset } = upload;
    const end = Math.min(offset + PIECE_BYTES, file.size);
    upload.isSent = false;
    try {
      const data = await file.slice(offset, end).arrayBuffer();
      if (current !== upload) return;
      const of = { id, name, size_bytes: file.size, batch, held, found };
      Object.assign(upload, { sentTo: end, isSent: true });
      outbox.post({ type: "upload", ...of, offset, last: end === file.size, data });
    } catch {
      if (current !== upload) return;
      notices.keep([words("error.unreadable", { name })]);
      cancel();
    }
  }
  function cancel() {
    if (current?.sentTo > 0 || current?.isSent) {
      outbox.post({ type: "cancel_upload", id: current.id });
    }
    openNext();
  }
  function cancelAll() {
    waiting.length = 0;
    cancel();
  }
  function tellSkipped() {
    if (skipped.length === 0) return;
    const names = skipped.slice(0, MOST_NAMED_FILES).join(", ");
    const more = skipped.length > MOST_NAMED_FILES ? ", …" : "";
    const files = words.count("files", skipped.length);
    notices.keep([words("upload.skipped", { files, names: names + more })]);
    skipped = [];
  }
  /** The driver's answer to the piece that was sent last, or how far it has read. */
  function follow(upload) {
    current.shown = upload;
    progress.show(upload, waiting.length);
    if (upload.state === "failed" && upload.text) notices.keep([upload.text]);
    if (upload.state === "skipped") skipped.push(current.name);
    if (DONE.includes(upload.state)) openNext();
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

function createNoUpload(words) {
  return {
    chooser: createNoChooser(words),
    progress: make("div", { hidden: true }),
    open: null,
    show() {},
  };
}
