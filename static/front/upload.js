// Files on their way to the driver: one after another, in pieces, until cancelled.

import { make } from "./elements.js";
import { batchOf } from "./file_batches.js";
import { createChooser, createNoChooser, createProgress } from "./upload_parts.js";

const PIECE_BYTES = 2 ** 20;
const MOST_NAMED_FILES = 3;
const DONE = ["done", "failed", "held", "skipped"];
let uploads = 0; // of the page, so that no two have the same id

/**
 * `chooser` opens files, `progress` tells how far the current one is, in both modes.
 * `open(files)` adds to those that wait; `show(upload)` goes on with the current one. What
 * is under way stands in `context.queue`, and goes on where the page is built anew.
 */
export function createUpload(limits, context) {
  const { words, outbox, notices, queue } = context;
  if (limits.upload_bytes === undefined) return createNoUpload(words);
  const chooser = createChooser(limits, context, open);
  const progress = createProgress(words, { cancel, cancelAll },
    [chooser.querySelector("input"), notices.element]);
  if (queue.current) progress.show(queue.current.shown, queue.waiting.length);

  function open(chosen) {
    const { files, left } = batchOf(chosen);
    if (!queue.current) notices.startBatch();
    for (const one of files) {
      if (one.file.size > limits.upload_bytes) refuse(one);
      else queue.waiting.push(one);
    }
    if (left > 0) notices.keep([{ key: "upload.too_many", values: { files_files: left } }]);
    if (queue.current) progress.show(queue.current.shown, queue.waiting.length);
    else openNext();
  }
  function refuse({ name, file: { size: size_bytes } }) {
    const values = { name, size_bytes, limit_bytes: limits.upload_bytes };
    notices.keep([{ key: "error.too_big", values }]);
  }
  function openNext() {
    const one = queue.waiting.shift();
    if (queue.current) notices.keep(); // what was said of this file
    if (!one) {
      queue.current = null;
      progress.show(null);
      tellSkipped();
      return;
    }
    const { name, file: { size: size_bytes } } = one;
    const shown = { state: "receiving", received_bytes: 0, name, size_bytes };
    uploads += 1;
    queue.current = { ...one, id: `${Date.now()}-${uploads}`, shown, sentTo: 0, isSent: false };
    progress.show(shown, queue.waiting.length);
    sendPiece(queue.current);
  }
  async function sendPiece(upload) {
    const { id, name, batch, isHeld: held, isFound: found, file, sentTo: offset } = upload;
    const end = Math.min(offset + PIECE_BYTES, file.size);
    upload.isSent = false;
    try {
      const data = await file.slice(offset, end).arrayBuffer();
      if (queue.current !== upload) return;
      const of = { id, name, size_bytes: file.size, batch, held, found };
      Object.assign(upload, { sentTo: end, isSent: true });
      outbox.post({ type: "upload", ...of, offset, last: end === file.size, data });
    } catch {
      if (queue.current !== upload) return;
      notices.keep([{ key: "error.unreadable", values: { name } }]);
      cancel();
    }
  }
  function cancel() {
    if (queue.current?.sentTo > 0 || queue.current?.isSent) {
      outbox.post({ type: "cancel_upload", id: queue.current.id });
    }
    openNext();
  }
  function cancelAll() {
    queue.waiting.length = 0;
    cancel();
  }
  function tellSkipped() {
    if (queue.skipped.length === 0) return;
    const names = queue.skipped.slice(0, MOST_NAMED_FILES).join(", ");
    const more = queue.skipped.length > MOST_NAMED_FILES ? ", …" : "";
    const values = { files_files: queue.skipped.length, names: names + more };
    notices.keep([{ key: "upload.skipped", values }]);
    queue.skipped = [];
  }
  /** The driver's answer to the piece that was sent last, or how far it has read. */
  function follow(upload) {
    queue.current.shown = upload;
    progress.show(upload, queue.waiting.length);
    if (upload.state === "failed" && upload.text) notices.keep([{ text: upload.text }]);
    if (upload.state === "skipped") queue.skipped.push(queue.current.name);
    if (DONE.includes(upload.state)) openNext();
    else sendRest(queue.current, upload);
  }
  function sendRest(one, { received_bytes }) {
    if (received_bytes >= one.sentTo && one.sentTo < one.file.size) sendPiece(one);
  }
  return {
    chooser,
    progress: progress.element,
    open,
    show(upload) {
      if (!queue.current?.isSent || !outbox.isIdle()) return;
      if (upload?.id === queue.current.id) follow(upload);
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
