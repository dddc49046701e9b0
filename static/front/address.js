// The state in the address of the page, so that a reload or a copied link restores it.

const ADDRESS_REST_MS = 250;

/** `write(address)` puts it behind `?` once the moves rest; frames may refuse that. */
export function createAddress() {
  let timer = 0;
  let written = null;

  function replace(address) {
    written = address;
    try {
      history.replaceState(history.state, "", `?${address}${location.hash}`);
    } catch {
      // A sandboxed frame has no history of its own: the widget works without.
    }
  }
  return {
    write(address) {
      clearTimeout(timer);
      if (!address || address === written) return;
      timer = setTimeout(() => replace(address), ADDRESS_REST_MS);
    },
    destroy() {
      clearTimeout(timer);
    },
  };
}
