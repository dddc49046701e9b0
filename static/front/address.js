// The state in the address of the page, so that a reload or a copied link restores it.

const ADDRESS_REST_MS = 250;

/** `write(address)` hands it to the driver's `put` once the moves rest; frames may refuse. */
export function createAddress(put) {
  let timer = 0;
  let written = null;

  function replace(address) {
    written = address;
    try {
      put(address);
    } catch {
      // A sandboxed frame has no history of its own: the widget works without.
    }
  }
  return {
    write(address) {
      clearTimeout(timer);
      if (!put || !address || address === written) return;
      timer = setTimeout(() => replace(address), ADDRESS_REST_MS);
    },
    destroy() {
      clearTimeout(timer);
    },
  };
}
