// ---- units.js: a violation of atomic-set serializability: unit, set and pattern.

const violationOf = (finding) => (finding.verdict === "atomicity/violation" ? finding.run.result.violations[finding.number] : null);

// R(x) of unit 1 is R₁(x): which locations are meant is said by the names.
const patternText = (violation, lane) => {
  const names = [...new Set(violation.events.map((event) => event.variable))];
  return violation.events.map((event) => (event.kind.includes("write") || event.kind === "rmw" ? "W" : "R") + (lane(event) + 1) + "(" + "xyz"[names.indexOf(event.variable)] + ")").join(" ");
};

// The event by which the other unit comes between: there the timeline begins. null: it is not in it.
const intrusion = (finding, trace) => {
  const violation = violationOf(finding);
  if (!violation) return null;
  let at = -1, found = null;
  for (const wanted of violation.events) {
    at = trace.events.findIndex((row, i) => i > at && row[0] === wanted.thread && trace.places[row[2]] && trace.places[row[2]][0] === wanted.file && trace.places[row[2]][1] === wanted.line && data.kinds[row[1]] === wanted.kind);
    if (at < 0) return found;
    if (wanted.thread !== violation.events[0].thread) found = trace.first + at + 1;
  }
  return found;
};

const unitsFigure = (finding) => {
  const violation = violationOf(finding);
  if (!violation) return null;
  const own = (violation.events.find((event) => event.unit === violation.unit) || violation.events[0]).thread, lane = (event) => (event.thread === own ? 0 : 1);
  // Where there is no room for two columns, the other unit's access stands in the box it breaks.
  const narrow = window.innerWidth < 860, rows = violation.events, rowHeight = 32, top = 46, column = narrow ? 0 : 380, width = narrow ? 352 : 760, box = narrow ? 340 : column - 28;
  const first = rows.findIndex((event) => lane(event) === 0), last = rows.length - 1 - [...rows].reverse().findIndex((event) => lane(event) === 0);
  const x = (event) => 30 + lane(event) * (column || 16), y = (k) => top + k * rowHeight + rowHeight / 2;
  const unitBox = svg("rect", { class: "unit", x: 8, y: top + first * rowHeight - 2, width: box, height: (last - first + 1) * rowHeight + 4, rx: 4 });
  const row = (event, k) => svg("g", { class: "unit-event" + (lane(event) && k > first && k < last ? " intruder" : "") }, svg("title", {}, event.kind + " " + event.variable + " at " + placeText(event)),
    lane(event) && k > first && k < last ? svg("path", { class: "cut-in", d: narrow ? `M8,${y(k)} H${x(event) - 8}` : `M${x(event) - 8},${y(k)} H${column - 14}` }) : null,
    svg("circle", { class: "mark" + (event.kind.includes("write") || event.kind === "rmw" ? " full" : ""), cx: x(event), cy: y(k), r: 4.5 }),
    svg("text", { x: x(event) + 12, y: y(k) + 4 }, svg("tspan", { class: "kind" }, (narrow && lane(event) ? "thread " + event.thread + ": " : "") + event.kind + " "), shortName(event.variable, narrow ? 16 : 20), svg("tspan", { class: "kind" }, "  " + (narrow ? ":" + event.line : fileLine(event)))));
  return el("section", { class: "units" }, el("h3", {}, "The unit that is not atomic"),
    el("p", {}, "Pattern " + violation.pattern + ", ", el("code", {}, patternText(violation, lane)), ": " + violation.words + "."),
    el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "units of work" }, el("div", { class: "lanes" },
      svg("svg", { width, height: top + rows.length * rowHeight + 8, viewBox: `0 0 ${width} ${top + rows.length * rowHeight + 8}`, role: "img", "aria-label": "pattern " + violation.pattern + ": " + violation.words },
        svg("text", { class: "head", x: 12, y: 16 }, cut(violation.unit + "()", 34)), svg("text", { class: "dim", x: 12, y: 33 }, "one unit of work, thread " + own),
        narrow ? null : [svg("text", { class: "head", x: 12 + column, y: 16 }, cut(violation.other_unit + "()", 34)), svg("text", { class: "dim", x: 12 + column, y: 33 }, "comes between")],
        unitBox, rows.map(row)))),
    el("p", {}, "Atomic set ", el("span", { class: "set-chip mono" }, violation.set), " holds ", violation.fields.split(", ").map((field) => el("span", { class: "set-chip field mono" }, field))));
};
