// What a page holds, but for its scripts: every text and attribute, and all that Bokeh has.
() => {
  const texts = [document.title];
  const walk = (root) => {
    for (const one of root.querySelectorAll("*")) {
      if (["SCRIPT", "STYLE"].includes(one.tagName)) continue;
      for (const node of one.childNodes) if (node.nodeType === Node.TEXT_NODE) texts.push(node.data);
      for (const { name, value } of one.attributes) if (name !== "style") texts.push(value);
      if ("value" in one) texts.push(String(one.value));
      if (one.shadowRoot) walk(one.shadowRoot);
    }
  };
  walk(document);
  const numbers = [];
  const collect = (value) => {
    if (typeof value === "number") numbers.push(value);
    else if (typeof value === "string") texts.push(value);
  };
  for (const one of Bokeh.documents) {
    for (const model of one._all_models.values()) {
      for (const column of Object.values(model.data ?? {})) Array.from(column).forEach(collect);
      for (const key of ["start", "end", "location", "text", "title", "content"]) {
        if (key in model) collect(model[key]);
      }
    }
  }
  return { text: texts.join("\n").replaceAll("\u00a0", " "), numbers };
}
