// The code that puts this page into another one. Whatever stands in it is escaped.

const ENTITIES = { "&": "&amp;", '"': "&quot;", "<": "&lt;", ">": "&gt;",
  "{": "&#123;", "}": "&#125;" }; // braces mean something to the templates of some sites
const MARK = /[\\`*_{}[\]<>#$@~^|]/g;
const MOST_PX = 640;
const LEAST_PX = 160;

/** The frame as HTML. `frame` is {title, source, height_px}: any text, an address, CSS px. */
export function frameCode(frame) {
  return `<iframe ${attributes(frame).join("\n")}></iframe>`;
}

/** The frame on a line of its own, which Markdown leaves as it is. */
export function markdownCode(frame) {
  return `<iframe ${attributes(frame).join(" ")}></iframe>`;
}

/** The frame as a directive of MyST, which gives its caption and chooses its height. */
export function mystCode({ title, source }) {
  const caption = oneLine(title).replace(MARK, "\\$&");
  return `\`\`\`{iframe} ${source}\n:width: 100%\n\n${caption}\n\`\`\``;
}

/** The height for a page that is so high now: no higher than a screen, in tens of px. */
export function frameHeight(content_px) {
  const needed = Math.ceil(content_px / 10) * 10 || MOST_PX;
  return Math.min(Math.max(needed, LEAST_PX), MOST_PX);
}

function attributes({ title, source, height_px }) {
  return [
    `title="${escaped(oneLine(title))}"`,
    `src="${escaped(source)}"`,
    `width="100%" height="${height_px}" loading="lazy" style="border:0"`,
    'sandbox="allow-scripts allow-popups" allow="clipboard-write"',
  ];
}

function escaped(text) {
  return text.replace(/[&"<>{}]/g, (sign) => ENTITIES[sign]);
}

/** An empty line would end HTML in Markdown. */
function oneLine(text) {
  return text.trim().replace(/\s+/g, " ");
}
