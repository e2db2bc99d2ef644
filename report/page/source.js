// ---- source.js: the source beside the timeline, with a mark on each thread's current line.

const sourceLines = (file) => {
  const lines = data.sources[file];
  return lines ? Object.keys(lines).map(Number).sort((a, b) => a - b) : [];
};

// Comments step back; the rest is read as it stands.
const codeParts = (text) => {
  const at = /^(?:[^"'/]|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\/(?![/*]))*(\/[/*].*)$/.exec(text);
  return at ? [text.slice(0, text.length - at[1].length), el("i", {}, at[1])] : [text];
};

const sourceRow = (number, text, marks, style) => el("span", { class: "code-row" + (style ? " " + style : ""), "data-line": number },
  el("b", { class: "marks", "aria-hidden": "true" }, marks.map(([thread, now]) => el("em", { class: now ? "now" : null }, String(thread)))),
  el("b", { class: "line-number" }, String(number)), el("span", { class: "code-text" }, codeParts(text)));

// The lines around a place, or null when the report has none of that file.
const excerpt = (place, around, what) => {
  const lines = place && data.sources[place.file];
  if (!lines || lines[place.line] === undefined) return null;
  const rows = [];
  for (let i = place.line - around; i <= place.line + around; i++)
    if (lines[i] !== undefined) rows.push(sourceRow(i, lines[i], [], i === place.line ? "here" : ""));
  return el("pre", { class: "code", tabindex: "0", role: "region", "aria-label": what + ": line " + place.line + " of " + place.file }, rows);
};

// A pane that follows the current event.
const sourcePane = () => {
  const title = el("p", { class: "pane-title" }), code = el("pre", { class: "code pane", tabindex: "0", role: "region", "aria-label": "source" });
  const others = el("ul", { class: "elsewhere" });
  const node = el("div", { class: "source" }, title, code, others);
  let file = null;

  const fill = (name) => {
    file = name;
    const lines = data.sources[name] || {}, numbers = sourceLines(name), rows = [];
    numbers.forEach((n, k) => {
      if (k && n !== numbers[k - 1] + 1) rows.push(el("span", { class: "gap" }, "⋯"));
      rows.push(sourceRow(n, lines[n], [], ""));
    });
    code.replaceChildren(...rows);
    code.setAttribute("aria-label", "source of " + name);
    setText(title, shortPath(name, 60));
    title.title = name;
  };
  const scrollTo = (row) => {
    const top = row.offsetTop;
    if (top < code.scrollTop + 20 || top > code.scrollTop + code.clientHeight - 40) code.scrollTop = top - code.clientHeight / 2;
  };
  // places: by thread, where it is; now: the thread of the current event; tones: line → style.
  const show = (places, now, tones) => {
    const here = places.get(now);
    if (here && here.file !== file && data.sources[here.file]) fill(here.file);
    for (const row of code.querySelectorAll(".code-row")) {
      const line = Number(row.dataset.line), marks = [...places].filter(([, place]) => place && place.file === file && place.line === line);
      const current = here && here.file === file && here.line === line, tone = tones.get(file + ":" + line);
      row.className = "code-row" + (current ? " here" : "") + (tone ? " " + tone : "");
      row.firstChild.replaceChildren(...marks.map(([thread]) => el("em", { class: thread === now ? "now" : null }, String(thread))));
      if (current) scrollTo(row);
    }
    const away = [...places].filter(([thread, place]) => place && place.file !== file && thread !== now);
    others.replaceChildren(...away.map(([thread, place]) => el("li", {}, "thread " + thread + " is at ", el("code", {}, fileLine(place)))));
    node.hidden = !file;
  };
  // As tall as the timeline beside it.
  const fit = (height) => { code.style.maxHeight = window.innerWidth > 1000 ? Math.max(300, height - 26) + "px" : ""; };
  return { node, show, fit };
};
