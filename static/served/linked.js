// The front of a page of our own server: `start.js` has asked for its code and words,
// and its styles are there for the picture.

/** The page's styles once more, where the front stands: it is in a tree of its own. */
function styled(el) {
  const link = document.getElementById("overlap-styles").cloneNode();
  link.removeAttribute("id");
  return new Promise((resolve, reject) => {
    Object.assign(link, { onload: resolve, onerror: reject });
    el.before(link);
  });
}

/** The picture goes when the figures are drawn. */
function shown() {
  document.querySelector(".overlap-snapshot")?.remove();
  document.getElementById("overlap-live").classList.remove("overlap-behind");
}

export async function render(context) {
  const [{ render: build, config }] = await Promise.all([globalThis.overlapFront, styled(context.el)]);
  build({ ...context, config, shown });
}
