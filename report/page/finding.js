// ---- finding.js: one finding: a sentence, the timeline, then the rest.

const verdictWord = (finding) => el("span", { class: "verdict " + finding.group.key }, finding.verdict.replace(/^\w+\//, ""));

const metaLine = (finding) => {
  const race = finding.race, needs = finding.model && data.models[finding.model];
  return el("p", { class: "meta" }, verdictWord(finding),
    finding.model ? el("span", {}, el("b", {}, finding.model), needs ? ": " + needs : "") : null,
    race ? el("span", {}, race.evidence) : null,
    el("span", { class: "mono" }, finding.run.target));
};

// ---- the timeline with its tools ----

const toggle = (text, key, on, change) => {
  const box = el("input", { type: "checkbox", onchange: () => change(box.checked) });
  box.checked = on;
  return el("label", { class: "toggle" }, box, " " + text, key ? el("kbd", {}, key) : null);
};
const button = (text, title, action) => el("button", { type: "button", title, "aria-label": title, onclick: action }, text);

const endSentence = (trace, end) => (end.whole ? trace.threadName(end.thread) + " " + end.text + (end.place ? " at " + fileLine(end.place) : "") : end.text);

const timelineFigure = (finding, trace, place) => {
  let view = null, shown = trace;
  const position = el("span", { class: "mono position" }), live = el("div", { class: "now-text", "aria-live": "polite" });
  const slider = el("input", { type: "range", min: "0", "aria-label": "event", oninput: () => view.go(Number(slider.value)) });
  const playing = button("▶", "play", () => view.play(!view.state.playing));
  const lanes = el("div", { class: "figure-lanes scroll", tabindex: "0", role: "region", "aria-label": "timeline" }), side = el("div", { class: "figure-side" });
  const newest = traceOf(newestPath(finding.witness));

  const changed = () => {
    const { state } = view, row = state.rows[state.cursor], i = view.eventAt(state.cursor), why = i >= 0 ? reasonOf(shown, i) : null;
    slider.max = String(state.rows.length - 1);
    slider.value = String(state.cursor);
    const text = row.end ? endSentence(shown, row.end) : row.fold ? plural(row.fold.rounds, "more round") + " of the loop above" : shown.describe(i);
    slider.setAttribute("aria-valuetext", text);
    setText(position, (state.cursor + 1) + " of " + state.rows.length);
    setText(playing, state.playing ? "❚❚" : "▶");
    playing.setAttribute("aria-label", state.playing ? "pause" : "play");
    whyToggle.hidden = !why;
    live.replaceChildren(...(i >= 0 && !row.fold ? eventText(shown, i) : [el("p", { class: row.end && !row.end.ok ? "bad" : null }, el("strong", {}, text))]),
      ...(why && state.why ? [whyBox(shown, i)] : []));
    if (shown === trace) setAddress(finding, row.end ? "end" : String(trace.first + row.event + 1));
  };
  const mount = (which, at) => {
    if (view) view.play(false);
    shown = which;
    view = timeline(which, at, () => changed());
    lanes.replaceChildren(view.holder);
    side.replaceChildren(view.source);
    view.state.why = whyToggle.firstChild.checked;
    view.begin();
  };
  const whyToggle = toggle("why is this legal?", "w", true, (on) => view.setWhy(on));
  const word = trace.lies ? "lie" : "race";
  const tools = el("div", { class: "tools" },
    button("←", "step back", () => view.go(view.state.cursor - 1)), playing, button("→", "step on", () => view.go(view.state.cursor + 1)),
    slider, position,
    Object.keys(trace.reasons).length ? [button("‹ " + word, "previous " + word, () => view.jump(-1)), button(word + " ›", "next " + word, () => view.jump(1))] : null);
  const switches = el("div", { class: "switches" }, whyToggle,
    el("label", { class: "toggle order" }, orderBox(() => view), " happens-before", el("kbd", {}, "h")),
    toggle("all events", "a", false, (on) => view.setAll(on)),
    newest ? toggle("with the newest values", "v", false, (on) => mount(on ? newest : trace, null)) : null);
  switches.lastChild.classList.add("last");

  const node = el("figure", { class: "timeline", tabindex: "0", role: "group", "aria-label": "the execution: step with the left and right arrow keys" },
    tools, el("div", { class: "figure-body" }, lanes, side), live, switches);
  const click = (label) => { const box = [...switches.querySelectorAll("label")].find((item) => !item.hidden && item.textContent.includes(label)); if (box) box.querySelector("input").click(); };
  const keys = {
    ArrowLeft: () => view.go(view.state.cursor - 1), ArrowRight: () => view.go(view.state.cursor + 1),
    PageUp: () => view.go(view.state.cursor - 10), PageDown: () => view.go(view.state.cursor + 10),
    Home: () => view.go(0), End: () => view.go(view.state.rows.length - 1),
    n: () => view.jump(1), p: () => view.jump(-1), " ": () => view.play(!view.state.playing),
    h: () => click("happens-before"), w: () => click("legal"), a: () => click("all events"), v: () => click("newest values"),
  };
  return { node, keys, start: () => mount(trace, place), stop: () => view && view.play(false), goTo: (at) => { mount(trace, at); } };
};
const orderBox = (view) => {
  const box = el("input", { type: "checkbox", onchange: () => view().setOrder(box.checked) });
  return box;
};

const legend = (trace) => el("ul", { class: "legend" },
  [...(trace.lies ? [["l-seen", "the store that a surprising read saw"], ["l-missed", "the newest store, which it did not see"]] : []),
    ...(Object.keys(trace.reasons).length ? [["l-ghost", "the happens-before edge that is missing"]] : []),
    ...(trace.locks.length ? [["l-held", "holds a lock"]] : []), ...(trace.buffered.length ? [["l-waits", "a store waits in its buffer"]] : [])]
    .map(([style, text]) => el("li", {}, el("i", { class: style }), text)));

// ---- as it should have been ----

const endText = (trace) => endRows(trace).map((row) => row.end.text).join("; ");

// Reads that saw something else, event by event of the same thread.
const differences = (lied, honest) => {
  const theirs = new Map(), rows = [];
  honest.events.forEach((row, i) => { if (!theirs.has(row[0])) theirs.set(row[0], []); if (!(row[4] & EXTERNAL) && data.kinds[row[1]] !== "flush" && data.kinds[row[1]] !== "part") theirs.get(row[0]).push(i); });
  const at = new Map(), apart = new Set();
  lied.events.forEach((row, i) => {
    const thread = row[0], kind = data.kinds[row[1]];
    if ((row[4] & EXTERNAL) || kind === "flush" || kind === "part" || apart.has(thread)) return;
    const k = at.get(thread) || 0, other = (theirs.get(thread) || [])[k];
    at.set(thread, k + 1);
    if (other === undefined || honest.events[other][1] !== row[1] || honest.events[other][2] !== row[2]) { apart.add(thread); return; }
    if (row[3] !== null && row[3] !== honest.events[other][3]) rows.push([i, other]);
  });
  return rows;
};
const sideBySide = (finding, trace) => {
  const honest = traceOf(newestPath(finding.witness));
  if (!honest) return null;
  const MOST = 6, rows = differences(trace, honest), failed = !endRows(honest)[0].end.ok;
  const cell = (of, i) => el("td", { class: "mono" }, of.events[i][3]);
  return el("section", { class: "should" }, el("h3", {}, "As it should have been"),
    el("p", { class: "dim" }, "The same schedule, every read sees the newest store:"),
    el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "side by side" }, el("table", {},
      el("thead", {}, el("tr", {}, ["", "this execution", "with the newest values"].map((text) => el("th", { scope: "col" }, text || el("span", { class: "hidden" }, "event"))))),
      el("tbody", {}, rows.slice(0, MOST).map(([i, other]) => el("tr", {},
        el("th", { scope: "row" }, trace.threadName(trace.events[i][0]) + ": " + trace.parts(trace.event(i)).slice(0, 2).join(" ") + ", " + fileLine(trace.event(i).place)),
        cell(trace, i), cell(honest, other))),
      rows.length > MOST ? el("tr", {}, el("td", { colspan: "3", class: "dim" }, "and " + plural(rows.length - MOST, "more read") + " of other values")) : null,
      el("tr", { class: "outcome" }, el("th", { scope: "row" }, "the end"), el("td", { class: "bad" }, endText(trace)), el("td", { class: failed ? "bad" : "good" }, endText(honest)))))));
};

// ---- the rest ----

// A deadlock is told by the title.
const isTold = (finding) => finding.story.length === 1 && finding.story[0].toLowerCase() === finding.sentence.toLowerCase();
const storyBlock = (finding) => (finding.story.length && !isTold(finding) ? el("section", {}, el("h3", {}, "What happened"), el("pre", { class: "plain", tabindex: "0", role: "region", "aria-label": "what happened" }, finding.story.join("\n"))) : null);

const adviceBlock = (finding) => {
  const advice = finding.advice || (finding.found && finding.found.advice) || (finding.failure && finding.failure.advice) || (finding.race && finding.race.remedy) || (finding.failure && finding.failure.remedy);
  if (!advice) return null;
  const text = typeof advice === "string" ? advice : advice.text, patch = typeof advice === "string" ? null : advice.patch;
  return el("section", {}, el("h3", {}, "What to do"), text ? el("p", {}, text) : null, patch ? el("pre", { class: "plain", tabindex: "0", role: "region", "aria-label": "patch" }, patch) : null);
};

const replayBlock = (finding) => (finding.witness ? el("section", {}, el("h3", {}, "Run it again"),
  el("pre", { class: "plain", tabindex: "0", role: "region", "aria-label": "commands" }, "stalemate replay " + finding.witness + "\nstalemate replay --gdb " + finding.witness + "\nstalemate check " + finding.witness)) : null);

// Where the user's code is, if the access itself is in a library.
const accessCard = (access, i) => el("div", { class: "access" },
  el("p", {}, el("strong", {}, access.kind), " by thread " + access.thread + " at ", el("code", {}, placeText(userPlace(access))), userPlace(access).function ? [" in ", el("code", {}, shortName(userPlace(access).function, 80))] : null,
    access.locks && access.locks.length ? [", holding ", el("code", {}, access.locks.map((lock) => lock.name || "a lock").join(", "))] : null),
  excerpt(userPlace(access), 3, "access " + (i + 1)),
  access.stack && access.stack.length ? el("details", {}, el("summary", {}, "stack, " + plural(access.stack.length, "frame")),
    el("ol", { class: "stack" }, access.stack.map((frame) => el("li", {}, el("code", {}, (frame.function ? frame.function + " " : "") + placeText(frame)))))) : null);
const accessBlock = (finding) => (finding.accesses.length ? el("section", {}, el("h3", {}, finding.race ? "The accesses that race" : "Where"), el("div", { class: "columns" }, finding.accesses.map(accessCard))) : null);

const rates = (race) => el("table", { class: "rates" },
  el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "heuristic"), el("th", { scope: "col" }, "failure rate"), el("th", { scope: "col", class: "number" }, "failed"))),
  el("tbody", {}, Object.entries(race.by_heuristic).map(([name, rate]) => {
    const percent = rate.trials ? (100 * rate.failures) / rate.trials : 0;
    return el("tr", {}, el("td", { class: "mono" }, name),
      el("td", {}, el("div", { class: "bar", "aria-hidden": "true" }, el("div", { style: "width:" + percent.toFixed(1) + "%" }))),
      el("td", { class: "number" }, rate.failures + " of " + rate.trials));
  })));

// Wilson's interval of a rate, at 95 %.
const interval = ({ trials, failures }) => {
  const z = 1.96, p = failures / trials, d = 1 + (z * z) / trials;
  const middle = (p + (z * z) / (2 * trials)) / d, half = (z / d) * Math.sqrt((p * (1 - p)) / trials + (z * z) / (4 * trials * trials));
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
};

// The failure rate over the trials, with the interval in which it lies.
const course = (race) => {
  const points = race.course || [];
  if (points.length < 3) return null;
  const width = 420, height = 130, left = 44, bottom = 22, last = points[points.length - 1];
  const most = Math.max(0.02, ...points.slice(1).map((point) => interval(point)[1]));
  const x = (trials) => left + ((width - left - 12) * trials) / last.trials;
  const y = (rate) => 8 + (height - 8 - bottom) * (1 - Math.min(rate, most) / most);
  const line = (values) => values.map(([trials, rate]) => x(trials).toFixed(1) + "," + y(rate).toFixed(1)).join(" ");
  const band = [...points.map((point) => [point.trials, interval(point)[1]]), ...points.map((point) => [point.trials, interval(point)[0]]).reverse()];
  const percent = (rate) => (100 * rate).toFixed(rate < 0.1 ? 1 : 0) + " %";
  const [low, high] = interval(last);
  return el("div", {}, el("p", {}, "Failure rate over the trials: " + percent(last.failures / last.trials) + " (95 % interval " + percent(low) + " to " + percent(high) + ")"),
    el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "failure rate" }, svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", class: "course", "aria-label": "failure rate over " + last.trials + " trials" },
      svg("polygon", { class: "band", points: line(band) }),
      [0, 0.5, 1].map((part) => [svg("line", { class: "lane", x1: left, x2: width - 12, y1: y(part * most), y2: y(part * most) }),
        svg("text", { class: "dim", x: left - 6, y: y(part * most) + 4, "text-anchor": "end" }, percent(part * most))]),
      svg("polyline", { class: "rate", points: line(points.map((point) => [point.trials, point.failures / point.trials])) }),
      svg("text", { class: "dim", x: left, y: height - 6 }, "0"),
      svg("text", { class: "dim", x: width - 12, y: height - 6, "text-anchor": "end" }, plural(last.trials, "trial")))));
};

const evidence = (race) => (race && !race.trials ? el("section", {}, el("h3", {}, "Evidence"), el("p", {}, capital(race.evidence) + ".")) : race ? el("section", {}, el("h3", {}, "Evidence"),
  el("p", {}, race.failures.toLocaleString("en") + " of " + plural(race.trials, "trial") + " failed. Reads were shown " + plural(race.stale_reads, "stale value") +
    (race.future_reads ? " and " + plural(race.future_reads, "value") + " from the future" : "") + "."),
  el("div", { class: "columns" }, rates(race), course(race))) : null);

const missing = (finding) => (finding.witness ? el("p", { class: "dim" }, "The witness could not be read when this report was made, so there is no picture of it.") : null);

const lostNote = (trace) => (trace.first || trace.lost ? el("p", { class: "dim" },
  (trace.first ? "The first " + plural(trace.first, "event") + " are not on this page. " : "") + (trace.lost ? "The last " + plural(trace.lost, "event") + " found no room in the witness." : "")) : null);

// verify explores graphs: its executions are drawn as one.
const isGraph = (finding) => finding.verdict.startsWith("verify");

const causeBlock = (finding) => {
  const others = finding.parent ? [finding.parent] : childrenOf(finding);
  return others.length ? el("section", {}, el("h3", {}, finding.parent ? "Likely because of" : "Likely with the same cause"),
    el("ul", { class: "causes" }, others.map((other) => el("li", {}, el("a", { href: "#" + other.slug }, other.headline || other.sentence))))) : null;
};

// { node, keys, start, stop, goTo }
const findingView = (finding, place) => {
  const trace = traceOf(finding.witness), figure = trace ? timelineFigure(finding, markAccesses(trace, finding), place === null ? intrusion(finding, trace) : place) : null;
  const graph = trace && isGraph(finding) ? graphFigure(trace) : null;
  const node = el("article", { class: "finding" },
    el("h2", { title: finding.sentence }, finding.headline || finding.sentence), metaLine(finding),
    finding.overview ? [outcomesTable(finding), el("div", { id: "execution" })] : null,
    unitsFigure(finding),
    figure ? [figure.node, legend(trace), lostNote(trace)] : missing(finding),
    graph ? graph.node : null,
    figure ? sideBySide(finding, trace) : null,
    storyBlock(finding), causeBlock(finding), adviceBlock(finding), accessBlock(finding), evidence(finding.race), replayBlock(finding));
  return { node, keys: figure ? figure.keys : {}, stop: () => figure && figure.stop(), goTo: (at) => figure && figure.goTo(at),
    start: () => { if (figure) figure.start(); if (graph) graph.start(); } };
};

// One execution of an outcome, below the table.
const showExecution = (finding, path, name) => {
  const trace = traceOf(path), one = { ...finding, witness: path, overview: false }, figure = timelineFigure(one, trace, null), graph = graphFigure(trace);
  document.getElementById("execution").replaceChildren(el("h3", {}, "An execution with " + name), figure.node, ...(graph ? [graph.node] : []), replayBlock(one));
  figure.start();
  if (graph) graph.start();
};

// In a witness without a lie the accesses that the finding names are the ones to look at.
const markAccesses = (trace, finding) => {
  if (trace.events.some((row) => row[4] & LIED)) return trace;
  const key = (file, line, thread) => file + ":" + line + ":" + thread;
  const wanted = new Set(finding.accesses.map((access) => key(access.file, access.line, access.thread)));
  for (const row of trace.events) {
    const place = trace.places[row[2]];
    if (place && wanted.has(key(place[0], place[1], row[0]))) row[4] |= LIED;
  }
  return trace;
};
