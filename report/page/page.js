"use strict";
// Draws what `stalemate report` put into #data. Texts only ever become text nodes.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const LIED = 32, MORE = 1, INITIAL = -1, PARTS = -2;
  const ROWS = 24; // of a picture; the rest of the events is not in the document

  const build = (make) => (name, attributes, ...children) => {
    const node = make(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
      else if (value !== null && value !== false) node.setAttribute(key, value);
    }
    node.append(...children.flat().filter((child) => child !== null));
    return node;
  };
  const el = build((name) => document.createElement(name));
  const svg = build((name) => document.createElementNS("http://www.w3.org/2000/svg", name));

  const placeText = (place) => {
    if (!place || !place.file) return place && place.function ? place.function : "an unknown place";
    const line = place.line ? ":" + place.line : "";
    const column = place.column ? ":" + place.column : "";
    return place.file + line + column + (place.function ? " (" + place.function + ")" : "");
  };
  const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
  const sameText = (node, text) => { if (node.textContent !== text) node.textContent = text; };

  // The lines around a place, or null when the report has none of that file.
  const excerpt = (file, line, around) => {
    const lines = data.sources[file];
    if (!lines || lines[line] === undefined) return null;
    const rows = [];
    for (let i = line - around; i <= line + around; i++) {
      if (lines[i] === undefined) continue;
      const text = String(i).padStart(5) + "  " + lines[i];
      rows.push(el("span", { class: i === line ? "here" : null }, text));
    }
    return el("pre", { tabindex: "0", "aria-label": "source, line " + line + " of " + file }, rows);
  };

  // ---- findings ----

  const verdict = (finding) => el("span", { class: "verdict " + (finding.bad ? "destructive" : finding.verdict) }, finding.verdict);
  const plural = (n, noun) => n + " " + noun + (n === 1 ? "" : "s");

  const findings = [];
  for (const hunt of data.hunts) {
    for (const race of hunt.result.races)
      findings.push({ of: hunt, name: race.variable, verdict: race.verdict, meaning: data.meanings[race.verdict], model: race.model, race,
        accesses: race.accesses, witness: race.witness, story: race.story || [] });
    for (const failure of hunt.result.failures || [])
      findings.push({ of: hunt, name: failure.kind, verdict: "failure", meaning: data.meanings.failure, bad: true, race: null,
        accesses: failure.place ? [{ ...failure.place, kind: failure.kind, thread: failure.thread, stack: failure.stack || [] }] : [],
        witness: failure.witness, story: failure.story || [] });
  }
  for (const other of data.others)
    for (const found of other.findings)
      findings.push({ of: other, name: found.name, verdict: found.rule, meaning: found.meaning, bad: found.bad, model: other.result.model, race: null,
        accesses: found.accesses, witness: found.witness, story: found.message.split("\n") });
  findings.forEach((finding, i) => { finding.anchor = "finding-" + (i + 1); });

  const summary = () => {
    const counts = {};
    for (const finding of findings) counts[finding.verdict] = (counts[finding.verdict] || 0) + 1;
    const parts = Object.entries(counts).map(([word, n]) => n + " " + word);
    return plural(findings.length, "finding") + (parts.length ? ": " + parts.join(", ") : "") + ". Stalemate " + data.version + ".";
  };

  const summaryRow = (finding) => {
    const race = finding.race;
    return el("tr", {},
      el("td", {}, el("a", { href: "#" + finding.anchor, class: "mono" }, finding.name)),
      el("td", {}, verdict(finding)),
      el("td", {}, finding.model || "–"),
      el("td", { class: "number" }, race ? race.failures + "/" + race.trials : "–"),
      el("td", { class: "number" }, race ? String(race.stale_reads) : "–"),
      el("td", { class: "mono" }, finding.accesses.length ? placeText(finding.accesses[0]) : ""),
      el("td", { class: "mono" }, finding.of.target));
  };

  const summaryTable = () => !findings.length ? null : el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "all findings" },
    el("table", {},
      el("thead", {}, el("tr", {}, ["what", "verdict", "model", "failures", "stale reads", "where", "program"]
        .map((title, i) => el("th", { scope: "col", class: i === 3 || i === 4 ? "number" : null }, title)))),
      el("tbody", {}, findings.map(summaryRow))));

  // What was looked at and gave no finding is a result, too.
  const quiet = () => {
    const rows = [...data.hunts.filter((hunt) => !hunt.result.races.length && !(hunt.result.failures || []).length).map((hunt) => [hunt, "hunt: no race seen"]),
      ...data.others.filter((other) => !other.findings.length).map((other) => [other, other.summary])];
    return rows.length ? el("ul", { class: "dim" }, rows.map(([of, text]) => el("li", {}, "Nothing found in ", el("code", {}, of.target), ": " + text + "."))) : null;
  };

  // ---- evidence ----

  const rates = (race) => el("div", { class: "rates" }, Object.entries(race.by_heuristic).flatMap(([name, rate]) => {
    const percent = rate.trials ? (100 * rate.failures) / rate.trials : 0;
    return [
      el("span", { class: "mono" }, name),
      el("div", { class: "bar", "aria-hidden": "true" }, el("div", { style: "width:" + percent.toFixed(1) + "%" })),
      el("span", {}, percent.toFixed(percent && percent < 10 ? 1 : 0) + " %, " + rate.failures + " of " + rate.trials),
    ];
  }));

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
    const width = 520, height = 150, left = 44, bottom = 24, last = points[points.length - 1];
    const most = Math.max(0.02, ...points.slice(1).map((point) => interval(point)[1]));
    const x = (trials) => left + ((width - left - 12) * trials) / last.trials;
    const y = (rate) => 10 + (height - 10 - bottom) * (1 - Math.min(rate, most) / most);
    const line = (values) => values.map(([trials, rate]) => x(trials).toFixed(1) + "," + y(rate).toFixed(1)).join(" ");
    const band = [...points.map((point) => [point.trials, interval(point)[1]]), ...points.map((point) => [point.trials, interval(point)[0]]).reverse()];
    const percent = (rate) => (100 * rate).toFixed(rate < 0.1 ? 1 : 0) + " %";
    const [low, high] = interval(last);
    return [
      el("p", {}, "Over the trials the failure rate went to " + percent(last.failures / last.trials) + " (95 % interval " + percent(low) + " to " + percent(high) + "):"),
      el("div", { class: "scroll" }, svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", class: "course",
        "aria-label": "failure rate over " + last.trials + " trials" },
      svg("polygon", { class: "band", points: line(band) }),
      [0, 0.5, 1].map((part) => [
        svg("line", { class: "lane", x1: left, x2: width - 12, y1: y(part * most), y2: y(part * most) }),
        svg("text", { class: "dim", x: left - 6, y: y(part * most) + 4, "text-anchor": "end" }, percent(part * most))]).flat(),
      svg("polyline", { class: "rate", points: line(points.map((point) => [point.trials, point.failures / point.trials])) }),
      svg("text", { class: "dim", x: left, y: height - 6 }, "0"),
      svg("text", { class: "dim", x: width - 12, y: height - 6, "text-anchor": "end" }, plural(last.trials, "trial")))),
    ];
  };

  const evidence = (race) => [
    el("h3", {}, "Evidence"),
    el("p", {}, race.failures + " of " + plural(race.trials, "trial") + " failed; reads were shown " + plural(race.stale_reads, "stale value") +
      (race.future_reads ? " and " + plural(race.future_reads, "value") + " from the future" : "") + ". Failures by heuristic:"),
    rates(race),
    ...(course(race) || []),
  ];

  const accessCard = (access) => el("div", { class: "access" },
    el("p", {}, el("strong", {}, access.kind), " by thread " + access.thread + " at ", el("code", {}, placeText(access))),
    excerpt(access.file, access.line, 3),
    access.stack && access.stack.length ? el("details", { open: "" },
      el("summary", {}, "stack"),
      el("pre", { class: "plain", tabindex: "0", "aria-label": "stack" }, access.stack.map((frame, i) => "#" + i + " " + placeText(frame)).join("\n"))) : null);

  const findingSection = (finding) => {
    const race = finding.race, trace = finding.of.witnesses[finding.witness];
    const section = el("section", { id: finding.anchor, "aria-labelledby": finding.anchor + "-title" },
      el("h2", { id: finding.anchor + "-title" }, el("span", { class: "mono" }, finding.name), " ", verdict(finding)),
      el("p", { class: "dim" }, capital(finding.meaning || "") + (finding.model ? ", under " + finding.model : "") +
        ". Program: " + finding.of.target + (finding.of.summary ? " (" + finding.of.summary + ")" : "") + ", " + finding.of.finished + " UTC."));
    if (finding.story.length) section.append(el("h3", {}, "What happened"), el("pre", { class: "plain", tabindex: "0", "aria-label": "what happened" }, finding.story.join("\n")));
    if (finding.witness) section.append(el("p", {}, "Run it again: ", el("code", {}, "stalemate replay " + finding.witness)));
    if (race) section.append(...evidence(race));
    if (finding.accesses.length)
      section.append(el("h3", {}, race ? "The accesses" : "Where"), el("div", { class: "columns" }, finding.accesses.map(accessCard)));
    if (trace) section.append(el("h3", {}, "The witness"), picture(trace, finding));
    else if (finding.witness) section.append(el("p", { class: "dim" }, "The witness could not be read when this report was made, so there is no picture of it."));
    return section;
  };

  // ---- one event of a witness ----

  const event = (trace, i) => {
    const row = trace.events[i];
    if (!row) return null;
    const [thread, kind, site, value, flags, rf, newest, address] = row;
    const place = trace.sites[site] || null;
    return { i, thread, kind: trace.kinds[kind], value, flags, rf, newest, address,
      place: place && { file: place[0], line: place[1], function: place[2] },
      name: place ? place[3] : "" };
  };
  // It saw another store than the newest, or one that was yet to come.
  const isSurprise = (trace, i) => trace.events[i][6] >= 0 || (trace.events[i][5] !== null && trace.events[i][5] - trace.first > i);
  const isRacy = (trace, i) => (trace.events[i][4] & LIED) !== 0;
  const label = (e) => e.kind + (e.name ? " " + e.name : "") + (e.value !== null ? " = " + e.value : "");
  const number = (trace, i) => "#" + (trace.first + i + 1);
  const describe = (trace, i) => {
    const e = event(trace, i);
    return number(trace, i) + ", thread " + e.thread + ": " + label(e) + (e.place ? " at " + placeText(e.place) : "");
  };
  const origin = (trace, e) => {
    if (e.rf === INITIAL) return "the value at the start";
    if (e.rf === PARTS) return "parts of several stores";
    if (e.rf === null) return null;
    if (e.rf < trace.first) return "#" + (e.rf + 1) + ", which is before the events of this page";
    const store = e.rf - trace.first;
    return trace.events[store] ? describe(trace, store) : null;
  };

  // The last of ascending numbers that is not above the limit, or -1.
  const lastUpTo = (numbers, limit) => {
    let low = 0, high = numbers.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (numbers[middle] <= limit) low = middle + 1; else high = middle;
    }
    return low ? numbers[low - 1] : -1;
  };

  // Elements of one array have one name: from the second on, they say how far on they are.
  const apart = (places) => {
    const first = new Map();
    places.sort(([a], [b]) => (a.length - b.length) || (a < b ? -1 : 1));
    for (const [address, place] of places) {
      const base = first.get(place.name);
      if (base === undefined) first.set(place.name, address);
      else place.name += " +" + (BigInt("0x" + address) - BigInt("0x" + base));
    }
    return places.map(([, place]) => place);
  };

  // The racy locations: who stored to them when, and which accesses each thread made.
  const racyLocations = (trace) => {
    const places = new Map();
    trace.events.forEach((row, i) => {
      if (!isRacy(trace, i) || row[3] === null) return;
      const e = event(trace, i);
      if (!places.has(e.address)) places.set(e.address, { name: e.name || e.address, initial: null, stores: [], byThread: new Map() });
      const place = places.get(e.address);
      if (e.kind === "write" || e.kind === "atomic-write" || e.kind === "rmw") place.stores.push(i);
      else if (e.rf === INITIAL && place.initial === null) place.initial = e.value;
      if (!place.byThread.has(e.thread)) place.byThread.set(e.thread, []);
      place.byThread.get(e.thread).push(i);
    });
    return apart([...places]);
  };
  const newestValue = (trace, place, i) => {
    const store = lastUpTo(place.stores, i);
    return store < 0 ? place.initial : trace.events[store][3];
  };

  // For each event, the last one of every other thread that happens before it: from program
  // order and the edges between threads. Events that learn nothing share what was known.
  const happensBefore = (trace) => {
    const into = new Map(), known = Array.from({ length: trace.threads }, () => new Int32Array(trace.threads).fill(-1));
    for (const [from, to] of trace.edges) {
      if (!into.has(to - trace.first)) into.set(to - trace.first, []);
      into.get(to - trace.first).push(from - trace.first);
    }
    const clocks = [];
    trace.events.forEach((row, i) => {
      for (const from of into.get(i) || []) {
        const thread = trace.events[from][0], theirs = clocks[from], mine = Int32Array.from(known[row[0]]);
        for (let k = 0; k < mine.length; k++) mine[k] = Math.max(mine[k], theirs[k]);
        mine[thread] = Math.max(mine[thread], from);
        known[row[0]] = mine;
      }
      clocks.push(known[row[0]]);
    });
    return {
      known: (i) => clocks[i],
      before: (a, b) => (trace.events[a][0] === trace.events[b][0] ? a <= b : clocks[b][trace.events[a][0]] >= a),
    };
  };

  // ---- the picture ----

  // In a witness without a lie the accesses that the finding names are the ones to look at.
  const marked = (trace, finding) => {
    if (trace.events.some((row) => row[4] & LIED)) return trace;
    const key = (file, line, thread) => file + ":" + line + ":" + thread;
    const wanted = new Set(finding.accesses.map((access) => key(access.file, access.line, access.thread)));
    const events = trace.events.map((row) => {
      const place = trace.sites[row[2]];
      return place && wanted.has(key(place[0], place[1], row[0])) ? Object.assign([...row], { 4: row[4] | LIED }) : row;
    });
    return { ...trace, events };
  };

  const picture = (whole, finding) => {
    const trace = marked(whole, finding);
    const state = { cursor: 0, shown: [], order: null };
    const threads = trace.threads, locations = racyLocations(trace);
    const head = 28, rowHeight = 28, columnWidth = 108;
    let gutter, margin, laneWidth, boxWidth, columns, width;
    // Lanes share the room there is; values of the racy variables stand behind them where they fit.
    const layout = () => {
      const room = (holder.clientWidth || document.body.clientWidth - 60) - 8;
      gutter = room < 600 ? 40 : 76;
      margin = room < 600 ? 9 : 18;
      columns = Math.min(3, locations.length, Math.max(0, Math.floor((room - gutter - threads * 150) / columnWidth)));
      laneWidth = Math.max(128, Math.min(280, Math.floor((room - gutter - columns * columnWidth) / threads)));
      boxWidth = laneWidth - 2 * margin;
      width = gutter + threads * laneWidth + columns * columnWidth + 8;
    };
    const laneX = (thread) => gutter + thread * laneWidth;
    const columnX = (k) => gutter + threads * laneWidth + k * columnWidth + 8;
    const holder = el("div", { class: "scroll" });
    const live = el("div", { class: "now-text", "aria-live": "polite" });
    const values = el("div", { class: "scroll" });
    const source = el("div", {});
    const slider = el("input", { type: "range", min: "0", "aria-label": "event", oninput: () => go(Number(slider.value)) });
    const order = el("input", { type: "checkbox", onchange: () => { state.order = order.checked ? happensBefore(trace) : null; orderLegend.hidden = !order.checked; go(state.cursor); } });
    const orderLegend = el("span", { hidden: "" }, el("i", { class: "l-order" }), "happens-before; ", el("b", { class: "b-before" }), " before the current event, ", el("b", { class: "b-after" }), " after it");
    const filter = el("input", { type: "checkbox", onchange: () => choose() });
    filter.checked = trace.events.length > 200;

    const keep = (i) => {
      if (trace.events[i][4] & MORE) return false;
      return !filter.checked || isRacy(trace, i) || trace.events[i][3] === null || i === trace.events.length - 1;
    };
    const choose = () => {
      const at = state.shown.length ? state.shown[state.cursor] : -1;
      state.shown = [];
      for (let i = 0; i < trace.events.length; i++) if (keep(i)) state.shown.push(i);
      slider.max = String(Math.max(0, state.shown.length - 1));
      let cursor = state.shown.findIndex((i) => (at < 0 ? isSurprise(trace, i) : i >= at));
      go(cursor < 0 ? state.shown.length - 1 : cursor);
    };
    const jump = (step) => {
      for (let k = state.cursor + step; k >= 0 && k < state.shown.length; k += step)
        if (isSurprise(trace, state.shown[k])) return go(k);
      return undefined;
    };

    // Row of an event: its own, or the edge of the window it lies beyond.
    const rowOf = (top, bottom, i) => {
      let low = top, high = bottom;
      if (i < state.shown[top]) return top - 0.9;
      if (i > state.shown[bottom - 1]) return bottom - 0.1;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (state.shown[middle] < i) low = middle + 1; else high = middle;
      }
      return low;
    };
    const centre = (row, top) => head + (row - top) * rowHeight + rowHeight / 2;

    const arrow = (style, fromX, fromY, toX, toY, title) => {
      const side = fromX <= toX ? 1 : -1;
      const bend = fromX === toX ? 40 : Math.max(24, Math.abs(toX - fromX) / 2) * side;
      const path = `M${fromX},${fromY} C${fromX + bend},${fromY} ${toX - (fromX === toX ? -40 : bend)},${toY} ${toX},${toY}`;
      const tip = fromX === toX ? -1 : side;
      return svg("g", {}, svg("title", {}, title),
        svg("path", { class: style, d: path }),
        svg("path", { class: "tip-" + style, d: `M${toX},${toY} l${-9 * tip},-5 v10 z` }));
    };
    // What memory held before any event comes down beside the lane, from above all rows.
    const arrowFromStart = (style, toX, toY, title) => {
      const x = toX - Math.min(11, margin - 2);
      return svg("g", {}, svg("title", {}, title),
        svg("path", { class: style, d: `M${x},${head} V${toY - 10} Q${x},${toY} ${toX},${toY}` }),
        svg("circle", { class: "tip-" + style, cx: x, cy: head, r: 4 }),
        svg("path", { class: "tip-" + style, d: `M${toX},${toY} l-9,-5 v10 z` }));
    };
    const arrowBetween = (top, bottom, style, storeAt, readAt, title) => {
      const read = trace.events[readAt], apart = style === "ghost" ? -5 : style === "order" ? 0 : 5;
      const toY = centre(rowOf(top, bottom, readAt), top) + apart;
      const left = laneX(read[0]) + margin, right = left + boxWidth;
      if (storeAt < 0) return arrowFromStart(style, left, toY, title);
      const store = trace.events[storeAt], fromY = centre(rowOf(top, bottom, storeAt), top);
      const storeLeft = laneX(store[0]) + margin, storeRight = storeLeft + boxWidth;
      if (store[0] === read[0]) return arrow(style, right, fromY, right, toY, title);
      return store[0] < read[0] ? arrow(style, storeRight, fromY, left, toY, title) : arrow(style, storeLeft, fromY, right, toY, title);
    };
    const arrowsOf = (top, bottom, i, current) => {
      const e = event(trace, i), drawn = [];
      if (e.rf === null || e.rf === PARTS || e.kind === "flush") return drawn;
      const surprise = isSurprise(trace, i);
      if (!surprise && !current) return drawn;
      const storeAt = e.rf === INITIAL ? -1 : e.rf - trace.first;
      if (e.newest >= trace.first) drawn.push(arrowBetween(top, bottom, "ghost", e.newest - trace.first, i, "the newest store"));
      if (storeAt >= -1 && storeAt < trace.events.length)
        drawn.push(arrowBetween(top, bottom, surprise ? "seen" : "plain", storeAt, i, storeAt > i ? "the store it saw, before it was made" : "the store it saw"));
      return drawn;
    };
    // Happens-before between the threads, where an end of it is in the window.
    const orderArrows = (top, bottom) => trace.edges.flatMap(([from, to]) => {
      const a = from - trace.first, b = to - trace.first;
      if (b < state.shown[top] || a > state.shown[bottom - 1]) return [];
      return [arrowBetween(top, bottom, "order", a, b, describe(trace, a) + " happens before " + describe(trace, b))];
    });
    const orderStyle = (i) => {
      const now = state.shown[state.cursor];
      if (!state.order || i === now) return "";
      return state.order.before(i, now) ? "before" : state.order.before(now, i) ? "after" : "";
    };
    const box = (top, k) => {
      const i = state.shown[k], e = event(trace, i), y = head + (k - top) * rowHeight + 3, x = laneX(e.thread) + margin;
      const style = ["event", isRacy(trace, i) ? "racy" : "", isSurprise(trace, i) ? "surprise" : "", k === state.cursor ? "now" : "", orderStyle(i)];
      const most = Math.floor((boxWidth - 12) / 7.3), text = label(e);
      return svg("g", { class: style.join(" "), onclick: () => go(k) },
        svg("title", {}, describe(trace, i)),
        svg("rect", { x, y, width: boxWidth, height: rowHeight - 6, rx: 3 }),
        svg("text", { x: x + 6, y: y + 15 }, text.length > most ? text.slice(0, most - 1) + "…" : text));
    };

    // What the newest store to a racy variable wrote, beside each event; bold where it changes.
    const valueAt = (c, k, top) => {
      const place = locations[c], i = state.shown[k], value = newestValue(trace, place, i), most = Math.floor((columnWidth - 8) / 7.3);
      const text = value === null ? "at the start" : value, changes = k > 0 && lastUpTo(place.stores, i) > state.shown[k - 1];
      return svg("text", { class: changes ? "head" : "dim", x: columnX(c), y: centre(k, top) + 4 }, svg("title", {}, place.name + ": " + text),
        text.length > most ? text.slice(0, most - 1) + "…" : text);
    };

    const draw = () => {
      const n = state.shown.length, rows = Math.min(ROWS, n);
      const top = Math.max(0, Math.min(state.cursor - (ROWS >> 1), n - rows)), bottom = top + rows;
      const height = head + rows * rowHeight + 8, parts = [], arrows = [];
      parts.push(svg("rect", { class: "row-now", x: 0, y: head + (state.cursor - top) * rowHeight, width, height: rowHeight }));
      for (let thread = 0; thread < threads; thread++) {
        const x = laneX(thread) + laneWidth / 2;
        parts.push(svg("line", { class: "lane", x1: x, y1: head, x2: x, y2: height }));
        parts.push(svg("text", { class: "head", x, y: 18, "text-anchor": "middle" }, "thread " + thread));
      }
      for (let c = 0; c < columns; c++) {
        const name = locations[c].name, most = Math.floor((columnWidth - 8) / 7.3);
        parts.push(svg("text", { class: "head", x: columnX(c), y: 18 }, svg("title", {}, "the newest value of " + name), name.length > most ? name.slice(0, most - 1) + "…" : name));
      }
      for (let k = top; k < bottom; k++) {
        for (let c = 0; c < columns; c++) parts.push(valueAt(c, k, top));
        parts.push(svg("text", { class: "dim", x: gutter - 8, y: centre(k, top) + 4, "text-anchor": "end" }, number(trace, state.shown[k])));
        parts.push(box(top, k));
        arrows.push(...arrowsOf(top, bottom, state.shown[k], k === state.cursor));
      }
      if (state.order) arrows.unshift(...orderArrows(top, bottom));
      holder.replaceChildren(svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img",
        "aria-label": "events " + (top + 1) + " to " + bottom + " of " + n + ", one lane for each thread" }, parts, arrows));
      showLane(trace.events[state.shown[state.cursor]][0]);
    };
    const showLane = (thread) => {
      const left = laneX(thread), right = left + laneWidth;
      if (right > holder.scrollLeft + holder.clientWidth) holder.scrollLeft = right - holder.clientWidth + 8;
      if (left < holder.scrollLeft) holder.scrollLeft = thread ? left - 8 : 0;
    };

    // The racy locations at the cursor: newest store, and what each thread last saw.
    const drawValues = () => {
      const last = state.shown[state.cursor], lanes = Array.from({ length: threads }, (_, thread) => thread);
      const seen = (place, thread) => {
        const i = lastUpTo(place.byThread.get(thread) || [], last);
        return i < 0 ? "–" : trace.events[i][3];
      };
      const rows = locations.slice(0, 12).map((place) => el("tr", {},
        el("td", { class: "mono" }, place.name),
        el("td", { class: "mono" }, lastUpTo(place.stores, last) < 0 ? "as at the start" : newestValue(trace, place, last)),
        lanes.map((thread) => el("td", { class: "mono" }, seen(place, thread)))));
      if (!rows.length) return values.replaceChildren();
      return values.replaceChildren(el("table", {},
        el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "variable"), el("th", { scope: "col" }, "newest store"),
          lanes.map((thread) => el("th", { scope: "col" }, "thread " + thread + " last saw")))),
        el("tbody", {}, rows)));
    };

    // The last event of each other thread that happens before the current one.
    const orderText = (i) => {
      const own = trace.events[i][0], parts = [];
      state.order.known(i).forEach((k, thread) => { if (thread !== own && k >= 0) parts.push(number(trace, k) + " of thread " + thread); });
      return parts.length ? "it happens after: " + parts.join(", ") : "nothing of another thread happens before it";
    };

    const drawText = () => {
      const i = state.shown[state.cursor], e = event(trace, i), from = origin(trace, e);
      const lines = [el("p", {}, el("strong", {}, describe(trace, i)))];
      if (from && e.kind === "flush") lines.push(el("p", {}, "this store reaches memory: " + from));
      else if (from) lines.push(el("p", {}, (e.rf - trace.first > i ? "it saw, from the future: " : "it saw: ") + from));
      if (e.newest >= trace.first) lines.push(el("p", { class: "destructive" }, "the newest store was: " + describe(trace, e.newest - trace.first)));
      if (state.order) lines.push(el("p", {}, orderText(i)));
      live.replaceChildren(...lines);
      const code = e.place && excerpt(e.place.file, e.place.line, 2);
      source.replaceChildren(...(code ? [code] : []));
    };

    const go = (k) => {
      if (!state.shown.length) return;
      state.cursor = Math.max(0, Math.min(state.shown.length - 1, k));
      slider.value = String(state.cursor);
      slider.setAttribute("aria-valuetext", describe(trace, state.shown[state.cursor]));
      sameText(position, (state.cursor + 1) + " of " + state.shown.length);
      draw();
      drawText();
      drawValues();
    };

    const keys = {
      ArrowLeft: () => go(state.cursor - 1), ArrowRight: () => go(state.cursor + 1),
      PageUp: () => go(state.cursor - 10), PageDown: () => go(state.cursor + 10),
      Home: () => go(0), End: () => go(state.shown.length - 1),
      n: () => jump(1), p: () => jump(-1), h: () => order.click(),
    };
    const onkeydown = (press) => {
      const inSlider = press.target === slider && press.key.length > 1;
      if (inSlider || press.ctrlKey || press.altKey || press.metaKey || !keys[press.key]) return;
      press.preventDefault();
      keys[press.key]();
    };
    const position = el("span", { class: "mono position" });
    const button = (text, title, action) => el("button", { type: "button", title, "aria-label": title, onclick: action }, text);
    const surprises = trace.events.reduce((n, _, i) => n + isSurprise(trace, i), 0);
    const figure = el("figure", { tabindex: "0", role: "group", "aria-label": "the witness for " + finding.name + ": step with the left and right arrow keys", onkeydown },
      el("div", { class: "tools" },
        button("←", "step back", () => go(state.cursor - 1)), button("→", "step on", () => go(state.cursor + 1)),
        surprises ? button("previous surprise", "previous surprising read", () => jump(-1)) : null,
        surprises ? button("next surprise", "next surprising read", () => jump(1)) : null,
        slider, position,
        el("label", { class: "filter" }, filter, " only racy variables and synchronisation"),
        el("label", { class: "order" }, order, " happens-before")),
      holder,
      el("div", { class: "legend" },
        el("span", {}, el("i", { class: "l-seen" }), "what a surprising read saw"),
        el("span", {}, el("i", { class: "l-ghost" }), "the newest store, which it did not see"),
        el("span", {}, el("i", { class: "l-plain" }), "what the current read saw"),
        el("span", {}, "● the value at the start"), orderLegend),
      live, source, values,
      el("p", { class: "dim keys" }, el("kbd", {}, "←"), " ", el("kbd", {}, "→"), " step, ", el("kbd", {}, "PgUp"), " ", el("kbd", {}, "PgDn"), " ten, ",
        el("kbd", {}, "Home"), " ", el("kbd", {}, "End"), ", ", el("kbd", {}, "n"), " ", el("kbd", {}, "p"), " next and previous surprise, ", el("kbd", {}, "h"), " happens-before"),
      trace.first || trace.lost ? el("p", { class: "dim" },
        (trace.first ? "The first " + trace.first + " events are not on this page. " : "") +
        (trace.lost ? "The last " + trace.lost + " events found no room in the witness." : "")) : null);
    layout();
    choose();
    new ResizeObserver(() => { const before = width; layout(); if (width !== before) draw(); }).observe(holder);
    return figure;
  };

  document.getElementById("summary").textContent = summary();
  const main = document.getElementById("main");
  main.replaceChildren(...[summaryTable(), quiet(), ...findings.map(findingSection)].filter((node) => node !== null));
})();
