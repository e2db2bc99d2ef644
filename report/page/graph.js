// ---- graph.js: an execution as a graph: events by thread, program order downwards; reads-from,
// modification order and happens-before as arrows that can be switched.

const MOST_NODES = 160, BOX = 22, LEVEL = 40;

const graphEvents = (trace) => {
  const kept = [];
  trace.events.forEach((row, i) => {
    const kind = data.kinds[row[1]];
    if (!(row[4] & MORE) && kind !== "part" && kind !== "yield" && (row[3] === null || trace.isShared(i) || trace.isRacy(i))) kept.push(i);
  });
  return kept;
};

// As the field writes them: W x 1, R x 0.
const nodeText = (trace, i) => {
  const e = trace.event(i), letter = { write: "W", "atomic-write": "W", read: "R", "atomic-read": "R", rmw: "U", fence: "F" }[e.kind];
  if (letter) return letter + (e.name ? " " + shortName(e.name, 18) : "") + (e.value !== null ? " " + e.value : "");
  return trace.label(i);
};

// Below all that it comes after, so that arrows point down where they can.
const levelsOf = (trace, kept, from) => {
  const level = new Map(), last = new Map();
  for (const i of kept) {
    const thread = trace.events[i][0], before = [last.get(thread), ...(from.get(i) || [])].filter((k) => k !== undefined && level.has(k));
    level.set(i, Math.max(1, ...before.map((k) => level.get(k) + 1)));
    last.set(thread, i);
  }
  return level;
};

const graphFigure = (trace) => {
  const kept = graphEvents(trace);
  if (!kept.length || kept.length > MOST_NODES) return null;
  const inside = new Set(kept), at = (n) => n - trace.first;
  const rf = kept.filter((i) => trace.isAccess(i) && trace.events[i][5] !== null && trace.events[i][5] >= trace.first && inside.has(at(trace.events[i][5]))).map((i) => [at(trace.events[i][5]), i]);
  const fromStart = kept.filter((i) => trace.isAccess(i) && trace.events[i][5] === INITIAL);
  const mo = trace.modification.map(([a, b]) => [at(a), at(b)]).filter(([a, b]) => inside.has(a) && inside.has(b));
  const hb = trace.edges.map(([a, b]) => [at(a), at(b)]).filter(([a, b]) => inside.has(a) && inside.has(b));
  const from = new Map();
  for (const [a, b] of [...rf, ...hb]) from.set(b, [...(from.get(b) || []), a]);
  const level = levelsOf(trace, kept, from), shown = { rf: true, mo: true, hb: false };
  const holder = el("div", { class: "lanes graph" });

  const draw = () => {
    const room = (holder.parentNode ? holder.parentNode.clientWidth : 0) || 600;
    const column = Math.max(120, Math.min(260, Math.floor((room - 20) / trace.threads))), width = column * trace.threads + 20;
    const height = 30 + LEVEL * Math.max(...level.values()) + BOX + (fromStart.length ? 26 : 6);
    const x = (i) => 10 + trace.events[i][0] * column, y = (i) => 30 + BOX / 2 + LEVEL * (level.get(i) - 1);
    const boxWidth = (i) => Math.min(column - 34, nodeText(trace, i).length * CHARACTER + 14);
    const edge = (style, a, b, title) => {
      const sameThread = trace.events[a][0] === trace.events[b][0], right = x(b) > x(a);
      const x1 = sameThread ? x(a) : right ? x(a) + boxWidth(a) : x(a), x2 = sameThread ? x(b) : right ? x(b) : x(b) + boxWidth(b);
      const bend = sameThread ? -14 : right ? 26 : -26, back = sameThread ? -14 : right ? -26 : 26, shift = style === "mo" ? 4 : style === "order" ? -4 : 0;
      return svg("g", { class: "arrow " + style }, svg("title", {}, title),
        svg("path", { class: "line", d: `M${x1},${y(a) + shift} C${x1 + bend},${y(a) + shift} ${x2 + back},${y(b) + shift} ${x2},${y(b) + shift}` }),
        svg("path", { class: "arrow-tip " + style, d: back < 0 ? `M${x2},${y(b) + shift} l-8,-4 v8 z` : `M${x2},${y(b) + shift} l8,-4 v8 z` }));
    };
    const parts = [];
    for (let thread = 0; thread < trace.threads; thread++) {
      const own = kept.filter((i) => trace.events[i][0] === thread);
      parts.push(svg("text", { class: "head", x: 10 + thread * column, y: 16 }, cut(trace.threadName(thread), Math.floor(column / CHARACTER))));
      for (let k = 1; k < own.length; k++)
        parts.push(svg("line", { class: "lane", x1: x(own[k]) + 10, x2: x(own[k]) + 10, y1: y(own[k - 1]) + BOX / 2, y2: y(own[k]) - BOX / 2 }));
    }
    if (fromStart.length) parts.push(svg("text", { class: "dim", x: 10, y: height - 8 }, "● reads the value at the start"));
    const arrows = [
      ...(shown.hb ? hb.map(([a, b]) => edge("order", a, b, "happens before")) : []),
      ...(shown.mo ? mo.map(([a, b]) => edge("mo", a, b, "modification order")) : []),
      ...(shown.rf ? rf.map(([a, b]) => edge(trace.isSurprise(b) ? "seen" : "plain", a, b, "reads from")) : [])];
    const boxes = kept.map((i) => svg("g", { class: "node" + (trace.isSurprise(i) ? " surprise" : "") }, svg("title", {}, trace.describe(i)),
      svg("rect", { x: x(i), y: y(i) - BOX / 2, width: boxWidth(i), height: BOX, rx: 3 }),
      svg("text", { x: x(i) + 7, y: y(i) + 4 }, cut(nodeText(trace, i), Math.floor((boxWidth(i) - 10) / CHARACTER))),
      shown.rf && trace.isAccess(i) && trace.events[i][5] === INITIAL ? svg("circle", { class: "start", cx: x(i) + boxWidth(i) + 7, cy: y(i), r: 3.5 }) : null));
    holder.replaceChildren(svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "execution graph: " + kept.length + " events of " + plural(trace.threads, "thread") }, parts, arrows, boxes));
  };
  const relation = (key, text) => toggle(text, null, shown[key], (on) => { shown[key] = on; draw(); });
  const node = el("section", { class: "graph-box" }, el("h3", {}, "The execution graph"),
    el("div", { class: "switches", role: "group", "aria-label": "relations" }, relation("rf", "reads-from"), relation("mo", "modification order"), relation("hb", "happens-before")),
    el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "execution graph" }, holder));
  return { node, start: () => { draw(); new ResizeObserver(draw).observe(holder.parentNode); } };
};
