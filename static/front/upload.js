// A file on its way to the driver: in pieces, one at a time, until cancelled.

import { make, setAttribute, setText } from "./elements.js";
import { sizeText } from "./quantities.js";

const PIECE_BYTES = 2 ** 20;
const LOCAL_HOSTS = ["localhost", "127.0.0.1", "[::1]", ""];

/** A file chooser with its progress; `open(file)` starts, `show(upload)` goes on. */
export function createUpload(limits, { words, id, outbox }) {
  const parts = uploadParts(limits, words, id);
  let current = null;

  async function sendPiece(offset) {
    const { id: uploadId, file } = current;
    const end = Math.min(offset + PIECE_BYTES, file.size);
    current.sentTo = end;
    try {
      const data = await file.slice(offset, end).arrayBuffer();
      if (current?.id !== uploadId) return;
      const { name, size: size_bytes } = file;
      const piece = { id: uploadId, name, size_bytes, offset, last: end === size_bytes, data };
      outbox.post({ type: "upload", ...piece });
    } catch {
      fail(words("error.unreadable", { name: file.name }));
    }
  }
  function open(file) {
    if (file.size > limits.upload_bytes) {
      const [size, limit] = [file.size, limits.upload_bytes].map(sizeText);
      fail(words("error.too_big", { name: file.name, size, limit }));
      return;
    }
    cancel();
    current = { id: `${Date.now()}-${file.size}`, file, sentTo: 0 };
    parts.draw({ state: "receiving", received_bytes: 0, name: file.name, size_bytes: file.size });
    sendPiece(0);
  }
  function cancel() {
    if (current) outbox.post({ type: "cancel_upload", id: current.id });
    current = null;
    parts.draw(null);
  }
  function fail(text) {
    current = null;
    parts.draw({ state: "failed", text });
  }
  parts.input.addEventListener("change", () => {
    if (parts.input.files.length > 0) open(parts.input.files[0]);
    parts.input.value = "";
  });
  parts.cancel.addEventListener("click", cancel);
  return {
    element: parts.element,
    open,
    show(upload) {
      if (!current || !outbox.isIdle()) return;
      if (upload?.id !== current.id) {
        current = null; // the driver has read it, or refused it with a notice
        parts.draw(null);
        return;
      }
      parts.draw(upload);
      if (["done", "failed"].includes(upload.state)) current = null;
      else if (upload.received_bytes >= current.sentTo && current.sentTo < current.file.size)
        sendPiece(current.sentTo);
    },
  };
}

function uploadParts(limits, words, id) {
  const input = make("input", { type: "file", id: id("file"), class: "overlap-unseen" });
  const progress = make("progress", { "aria-label": words("upload.progress") });
  const cancel = make("button", { type: "button" }, words("upload.cancel"));
  const running = make("div", { class: "overlap-running", hidden: true }, progress, cancel);
  const status = make("p", { role: "status", class: "overlap-message" });
  const element = make(
    "div",
    { class: "overlap-upload" },
    make("label", { class: "overlap-button" }, input, words("upload.choose")),
    make("p", { class: "overlap-hint" }, promiseText(limits, words)),
    running,
    status,
  );
  const draw = (upload) => drawUpload({ progress, running, status, words }, upload);
  return { element, input, cancel, draw };
}

function promiseText(limits, words) {
  const { hostname, host } = window.location;
  const where = LOCAL_HOSTS.includes(hostname) ? "upload.local" : "upload.server";
  return words(where, { host, limit: sizeText(limits.upload_bytes) });
}

function drawUpload({ progress, running, status, words }, upload) {
  const isRunning = ["receiving", "reading"].includes(upload?.state);
  running.hidden = !isRunning;
  setText(status, statusText(words, upload));
  if (!isRunning) return;
  const isReceiving = upload.state === "receiving";
  setAttribute(progress, "max", upload.size_bytes || 1);
  setAttribute(progress, "value", isReceiving ? upload.received_bytes : null);
}

function statusText(words, upload) {
  if (!upload) return "";
  if (upload.text) return upload.text;
  const [received, size] = [upload.received_bytes ?? 0, upload.size_bytes ?? 0].map(sizeText);
  return words(`upload.${upload.state}`, { name: upload.name, received, size });
}
