// Texts as files: saved where the browser lets the page, else not.

const REVOKE_MS = 60_000; // a browser may ask where to put it before it reads it
const TYPES = { csv: "text/csv", html: "text/html", json: "application/json" };

/** Hand a text to the browser as a file; the end of its name says what it is. */
export function saveText(name, text) {
  const type = `${TYPES[name.split(".").at(-1)]};charset=utf-8`;
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  [link.href, link.download] = [url, name];
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_MS);
}

/**
 * Whether a page may save files: "yes", "no", or "maybe" where another site frames it and
 * doesn't tell. A sandboxed frame may only with `allow-downloads`.
 */
export function maySave() {
  if (window.self === window.top) return "yes";
  const { sandbox } = window.frameElement ?? {}; // null in a frame of another site
  if (sandbox?.length) return sandbox.contains("allow-downloads") ? "yes" : "no";
  if (sandbox) return "yes";
  try {
    return document.cookie === null ? "no" : "maybe"; // refused where the frame is sandboxed
  } catch {
    return "no";
  }
}
