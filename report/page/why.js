// ---- why.js: why a read may see what it saw.

const BUFFERED = 1; // enum sm_why_kind

const reasonOf = (trace, i) => trace.reasons[trace.first + i] || null;

const originText = (trace, e) => {
  if (e.rf === INITIAL) return "the value at the start";
  if (e.rf === PARTS) return "parts of several stores";
  if (e.rf === null) return null;
  if (e.rf < trace.first) return "#" + (e.rf + 1) + ", which is before the events of this page";
  const store = e.rf - trace.first;
  return trace.events[store] ? trace.describe(store) : null;
};

// What is to be said of the current event.
const eventText = (trace, i) => {
  const e = trace.event(i), from = originText(trace, e), lines = [el("p", {}, el("strong", {}, trace.describe(i)))];
  if (from && e.kind === "flush") lines.push(el("p", {}, "The store reaches memory: ", from));
  else if (from) lines.push(el("p", {}, trace.isFuture(i) ? "Saw, from the future: " : "Saw: ", from));
  if (e.newest >= trace.first) lines.push(el("p", { class: "bad" }, "The newest store was ", trace.describe(e.newest - trace.first)));
  return lines;
};

const whyBox = (trace, i) => {
  const why = reasonOf(trace, i);
  return why ? el("div", { class: "why" }, why.lines.map((line, k) => el("p", { class: k ? "would" : null }, line))) : null;
};
