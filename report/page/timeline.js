// ---- timeline.js: threads as lanes, time downwards, one event a row.

const HEAD = 26, ROW = 24, CHIPS = 20, CHARACTER = 7.25; // pixels; the last: of 12 px monospace
const STEP_MS = 700; // of play
const FEW = 100; // of so many events all accesses to shared memory are shown

const timeline = (trace, place, changed) => {
  const state = { rows: [], cursor: 0, top: 0, order: null, why: true, playing: 0, unfolded: new Set(), all: false };
  const few = trace.events.length <= FEW;
  const threads = trace.threads, locations = racyLocations(trace);
  const hasLocks = trace.locks.length > 0, hasBuffers = trace.buffered.length > 0;
  const head = HEAD + (hasLocks ? CHIPS : 0) + (hasBuffers ? CHIPS : 0);
  const size = { gutter: 46, lanes: [], starts: [], columns: 0, column: 92, width: 0, rows: 22, compact: false, text: 0 };
  const holder = el("div", { class: "lanes" });
  const source = sourcePane();

  // Lanes share the room there is; memory stands behind them where it fits.
  const LEAST = 128, MOST = 270, TRACK = 20;
  const wanted = () => {
    const most = new Array(threads).fill(0);
    for (const row of state.rows) if (!row.end) most[trace.events[row.event][0]] = Math.max(most[trace.events[row.event][0]], trace.label(row.event).length);
    // Text goes on over the lanes to the right: only the last one needs all of its room.
    const last = (thread) => thread === threads - 1, room = (n, thread) => Math.max((last(thread) ? n : Math.min(n, 14)) * CHARACTER + 40, trace.threadName(thread).length * CHARACTER + 14);
    return most.map((n, thread) => Math.max(LEAST, Math.min(MOST, room(n, thread))));
  };
  // Where lanes have no room for text they become tracks, and the text stands behind them.
  const layout = () => {
    const room = (holder.parentNode ? holder.parentNode.clientWidth : 0) || 600;
    size.gutter = Math.max(room < 500 ? 34 : 46, String(trace.first + trace.events.length).length * 6.8 + 14);
    size.compact = room - size.gutter < threads * LEAST;
    size.rows = room < 500 ? 16 : 22;
    let lanes = size.compact ? new Array(threads).fill(TRACK) : wanted(), sum = lanes.reduce((a, b) => a + b, 0);
    const rest = room - size.gutter - 4, free = rest - sum;
    size.columns = size.compact ? 0 : Math.max(0, Math.min(3, locations.length, Math.floor(free / size.column)));
    if (!size.compact) { const scale = (rest - size.columns * size.column) / sum; lanes = lanes.map((width) => Math.max(LEAST * 0.9, Math.floor(width * Math.min(1.3, scale)))); sum = lanes.reduce((a, b) => a + b, 0); }
    size.lanes = lanes;
    size.starts = lanes.map((_, thread) => size.gutter + lanes.slice(0, thread).reduce((a, b) => a + b, 0));
    size.text = size.gutter + sum;
    size.width = size.compact ? Math.max(room, size.text + 200) : size.text + size.columns * size.column;
  };
  const markX = (thread) => size.starts[thread] + (size.compact ? 10 : 16);
  const labelX = (thread) => (size.compact ? size.text + 6 : markX(thread) + 12);
  // One event a row: its text may go on over the lanes to the right.
  const labelRoom = (thread) => (size.compact ? size.width : size.text) - labelX(thread) - 6;
  const rowY = (k) => head + (k - state.top) * ROW + ROW / 2;

  // ---- which rows ----

  const keep = (i) => {
    const [, kind, , value, flags] = trace.events[i];
    if (flags & MORE || data.kinds[kind] === "part") return false;
    if (state.all) return true;
    return value === null ? data.kinds[kind] !== "yield" : trace.isRacy(i) || i in trace.pinned || (few && trace.isShared(i));
  };
  const shownEvents = () => {
    const shown = [];
    for (let i = 0; i < trace.events.length; i++) if (keep(i)) shown.push(i);
    return shown;
  };
  const eventAt = (k) => (state.rows[k] && !state.rows[k].end ? state.rows[k].event : -1);
  const lastEvent = () => {
    for (let k = state.cursor; k >= 0; k--) if (eventAt(k) >= 0) return state.rows[k].fold ? state.rows[k].fold.last : eventAt(k);
    return -1;
  };
  const choose = () => {
    const at = eventAt(state.cursor), wasEnd = state.rows.length && at < 0;
    state.rows = [...foldLoops(trace, shownEvents(), state.unfolded), ...endRows(trace)];
    state.cursor = wasEnd ? state.rows.length - 1 : Math.max(0, rowOf(at));
    layout();
    go(state.cursor);
  };
  // The row of an event: its own, that of the fold it is in, or the next one.
  const rowOf = (i) => {
    let low = 0, high = state.rows.length;
    while (low < high) {
      const middle = (low + high) >> 1, row = state.rows[middle];
      if (!row.end && (row.fold ? row.fold.last : row.event) < i) low = middle + 1; else high = middle;
    }
    return low;
  };

  // ---- arrows ----

  // Down (or up) the lane of the source, then along the row of the target, where no other text is.
  const route = (fromX, fromY, toX, toY, shift) => {
    const x = fromX + shift, down = toY > fromY ? 1 : -1, r = Math.min(8, Math.abs(toY - fromY) / 2);
    if (toX === fromX) return `M${fromX - 5},${fromY} C${fromX - 24},${fromY} ${fromX - 24},${toY} ${toX - 7},${toY}`;
    if (size.compact && toX < fromX) return `M${fromX},${fromY} L${x},${fromY + 6 * down} V${toY - r * down} Q${x},${toY} ${x - r},${toY} H${toX + 7}`;
    if (toX > fromX) return `M${fromX},${fromY} L${x},${fromY + 6 * down} V${toY - r * down} Q${x},${toY} ${x + r},${toY} H${toX - 7}`;
    const under = toY + 10;
    return `M${fromX},${fromY} L${x},${fromY + 6 * down} V${under - r} Q${x},${under} ${x - r},${under} H${toX + 8} Q${toX},${under} ${toX},${toY + 7}`;
  };
  const tip = (style, fromX, toX, toY) => svg("path", { class: "tip " + style,
    d: toX >= fromX ? `M${toX - 5},${toY} l-8,-4 v8 z` : size.compact ? `M${toX + 5},${toY} l8,-4 v8 z` : `M${toX},${toY + 5} l-4,8 h8 z` });
  const arrow = (style, from, to, shift, title, text) => {
    const a = trace.events[from], b = trace.events[to], fromK = clampRow(rowOf(from)), toK = clampRow(rowOf(to));
    const fromX = markX(a[0]), toX = markX(b[0]), fromY = rowY(fromK), toY = rowY(toK) + (style === "seen" ? 3 : style === "ghost" || style === "missed" ? -3 : 0);
    // A label stands on the part along the row, where there is one.
    const wide = Math.abs(toX - fromX) > 110 && !size.compact, right = toX > fromX;
    const at = wide && right ? { x: toX - 14, y: toY - 4, "text-anchor": "end" } : null;
    return svg("g", { class: "arrow " + style }, svg("title", {}, title), svg("path", { class: "line", d: route(fromX, fromY, toX, toY, shift) }), tip(style, fromX, toX, toY),
      text && at ? svg("text", { class: "arrow-label", ...at }, text) : null);
  };
  // What memory held before any event comes down beside the lane, from above all rows.
  const arrowFromStart = (style, to, title) => {
    const x = markX(trace.events[to][0]), y = rowY(rowOf(to)), left = x - 10;
    return svg("g", { class: "arrow " + style }, svg("title", {}, title),
      svg("path", { class: "line", d: `M${left},${head - 2} V${y - 8} Q${left},${y} ${x - 7},${y}` }),
      svg("circle", { class: "tip " + style, cx: left, cy: head - 2, r: 3.5 }), tip(style, 0, x, y));
  };
  const clampRow = (k) => Math.max(state.top - 0.7, Math.min(state.top + size.rows - 0.3, k));
  const inSight = (i) => { const k = rowOf(i); return k >= state.top && k < state.top + size.rows; };
  const seenArrow = (i, style) => {
    const e = trace.event(i);
    if (e.rf === INITIAL) return arrowFromStart(style, i, "the value at the start");
    if (e.rf === null || e.rf < trace.first || e.kind === "flush") return null;
    return arrow(style, e.rf - trace.first, i, -3, e.rf - trace.first > i ? "the store it saw, before it was made" : "the store it saw");
  };
  const missedArrow = (i) => {
    const missed = trace.events[i][6];
    return missed >= trace.first ? arrow("missed", missed - trace.first, i, 4, "the newest store, which it did not see") : null;
  };
  const whyArrows = (i) => {
    const why = reasonOf(trace, i), drawn = [];
    if (!why) return drawn;
    const [from, to, release, acquire] = [why.from, why.to, why.release, why.acquire].map((n) => n - trace.first);
    if (from >= 0) drawn.push(arrow("ghost", from, to, 4, "no happens-before edge", why.kind === BUFFERED ? "in the buffer" : "no happens-before"));
    if (why.kind !== BUFFERED && release >= 0 && release < trace.events.length && (release !== from || acquire !== to))
      drawn.push(arrow("would", release, acquire, -3, "release and acquire here would make the edge", "release, acquire would"));
    return drawn;
  };
  const arrows = () => {
    const drawn = [], now = eventAt(state.cursor), end = Math.min(state.rows.length, state.top + size.rows);
    if (state.order)
      for (const [from, to] of trace.edges)
        if (inSight(from - trace.first) || inSight(to - trace.first)) drawn.push(arrow("order", from - trace.first, to - trace.first, 0, "happens before"));
    for (let k = state.top; k < end; k++) {
      const i = eventAt(k);
      if (i < 0 || state.rows[k].fold) continue;
      if (trace.isSurprise(i)) drawn.push(i === now && state.why ? null : missedArrow(i), seenArrow(i, "seen"));
      else if (i === now && trace.isAccess(i)) drawn.push(seenArrow(i, "plain"));
    }
    if (state.why && now >= 0) drawn.push(...whyArrows(now));
    return drawn.filter((node) => node);
  };

  // ---- rows ----

  const mark = (e, x, y, style) => {
    const attributes = { class: "mark " + style };
    if (READS.has(e.kind)) return svg("circle", { ...attributes, cx: x, cy: y, r: 4 });
    if (STORES.has(e.kind)) return svg("circle", { ...attributes, class: attributes.class + " full", cx: x, cy: y, r: 4.5 });
    if (e.kind === "flush") return svg("path", { ...attributes, class: attributes.class + " full", d: `M${x - 5},${y - 4} h10 l-5,9 z` });
    if (e.kind === "start" || e.kind === "end") return svg("path", { ...attributes, d: `M${x - 6},${y} h12` });
    return svg("rect", { ...attributes, x: x - 3.5, y: y - 3.5, width: 7, height: 7 });
  };
  const chip = (x, y, text, style) => {
    const width = text.length * 6.7 + 10;
    return svg("g", { class: "chip " + style }, svg("rect", { x, y: y - 8, width, height: 16, rx: 3 }), svg("text", { x: x + 5, y: y + 4 }, text));
  };
  // "read hash = 0", cut where the lane ends.
  const labelNodes = (e, y) => {
    const x = labelX(e.thread), [kind, name, whole] = trace.parts(e), most = Math.max(6, Math.floor(labelRoom(e.thread) / CHARACTER));
    if ((LOCKS.has(e.kind) || UNLOCKS.has(e.kind)) && name) {
      const at = x + (kind.length + 1) * CHARACTER;
      return [svg("text", { class: "kind", x, y: y + 4 }, kind), chip(at, y, cut(name, Math.max(3, Math.floor((labelRoom(e.thread) - (at - x) - 10) / 6.7))), "lock")];
    }
    const word = most < 28 ? kind.replace("atomic-", "a-") : kind;
    // Of an address the last digits tell more than the name's would.
    const value = word.length + libraryField(name || "").length + whole.length + 2 > most ? whole.replace(/0x[0-9a-f]{5,}([0-9a-f]{4})$/, "0x…$1") : whole, room = most - word.length - value.length - 2, short = name ? shortName(name, Math.max(6, room)) : "";
    return [svg("text", { class: "label", x, y: y + 4 }, svg("tspan", { class: "kind" }, word), short ? " " + short : "", value ? svg("tspan", { class: "value" }, " " + cut(value, Math.max(5, most - word.length - short.length - 2))) : null)];
  };
  const orderStyle = (i) => {
    const now = eventAt(state.cursor);
    if (!state.order || now < 0 || i === now) return "";
    return state.order.before(i, now) ? "before" : state.order.before(now, i) ? "after" : "";
  };
  const eventRow = (k, i) => {
    const e = trace.event(i), x = markX(e.thread), y = rowY(k);
    const style = [trace.isRacy(i) ? "racy" : "", trace.isSurprise(i) ? "surprise" : "", orderStyle(i)].join(" ");
    return svg("g", { class: "event " + style + (k === state.cursor ? " now" : ""), "data-row": k }, svg("title", {}, trace.describe(i)),
      svg("rect", { class: "hit", x: 0, y: y - ROW / 2, width: size.width, height: ROW }),
      svg("text", { class: "number", x: size.gutter - 12, y: y + 4, "text-anchor": "end" }, String(trace.first + i + 1)),
      orderStyle(i) ? svg("rect", { class: "tint", x: size.compact ? labelX(0) - 4 : x - 9, y: y - ROW / 2 + 2, width: size.compact ? labelRoom(0) : size.lanes[e.thread] - 10, height: ROW - 4, rx: 3 }) : null,
      mark(e, x, y, ""), labelNodes(e, y));
  };
  const foldRow = (k, row) => {
    const first = trace.event(row.event), last = trace.event(row.fold.last), y = rowY(k), n = row.fold.rounds;
    const text = plural(n, "more round"), room = Math.floor(labelRoom(first.thread) / CHARACTER);
    const values = row.fold.period === 1 && first.value !== null && first.value !== last.value ? ", " + first.value + " … " + last.value : "";
    return svg("g", { class: "event fold" + (k === state.cursor ? " now" : ""), "data-row": k, "data-fold": row.fold.key }, svg("title", {}, "show them"),
      svg("rect", { class: "hit", x: 0, y: y - ROW / 2, width: size.width, height: ROW }),
      svg("text", { class: "number", x: size.gutter - 12, y: y + 4, "text-anchor": "end" }, "⋮"),
      svg("text", { class: "folded", x: labelX(first.thread), y: y + 4 }, cut(text + (text.length + values.length <= room ? values : ""), room)));
  };
  const endRow = (k, end) => {
    // To the right of its mark, or to the left where there is more room.
    const x = markX(end.thread), y = rowY(k), right = (size.width - labelX(end.thread) - 4) / CHARACTER, left = (x - 12) / CHARACTER;
    const before = !size.compact && end.text.length > right && left > right, text = cut(end.text, Math.floor(before ? left : right));
    return svg("g", { class: "event end" + (end.ok ? " ok" : "") + (k === state.cursor ? " now" : ""), "data-row": k }, svg("title", {}, end.text),
      svg("rect", { class: "hit", x: 0, y: y - ROW / 2, width: size.width, height: ROW }),
      svg("path", { class: "cross", d: end.ok ? `M${x - 5},${y} l4,4 l7,-8` : `M${x - 5},${y - 5} l10,10 M${x + 5},${y - 5} l-10,10` }),
      svg("text", { x: before ? x - 12 : labelX(end.thread), y: y + 4, "text-anchor": before ? "end" : null }, text));
  };
  const rowNode = (k) => {
    const row = state.rows[k];
    return row.end ? endRow(k, row.end) : row.fold ? foldRow(k, row) : eventRow(k, row.event);
  };

  // ---- the ground: lanes, locks held, stores in buffers, memory ----

  const span = (style, from, to, x, title) => {
    const a = clampRow(rowOf(from)), b = clampRow(to >= trace.events.length ? state.rows.length : rowOf(to));
    if (b <= state.top - 0.7 || a >= state.top + size.rows - 0.3) return null;
    return svg("line", { class: style, x1: x, x2: x, y1: rowY(a), y2: rowY(b) }, svg("title", {}, title));
  };
  const running = (k) => {
    const row = state.rows[k], thread = row.end ? row.end.thread : trace.events[row.event][0];
    return svg("line", { class: "runs", x1: markX(thread), x2: markX(thread), y1: rowY(k) - ROW / 2, y2: rowY(k) + ROW / 2 });
  };
  const ground = (rows, height) => {
    const drawn = [], end = state.top + rows;
    for (let thread = 0; thread < threads; thread++)
      drawn.push(svg("line", { class: "lane", x1: markX(thread), x2: markX(thread), y1: head, y2: height - 4 }));
    for (let k = state.top; k < end; k++) drawn.push(running(k));
    for (const lock of trace.locks)
      drawn.push(span("held", lock.from, lock.to, markX(lock.thread) - 11, "holds " + trace.lockName(trace.event(lock.from))));
    for (const wait of trace.buffered)
      drawn.push(span("waits", wait.from, wait.to, markX(wait.thread) - 6, "in the store buffer"));
    return drawn.filter((node) => node);
  };
  const heldNow = (thread, i) => trace.locks.filter((lock) => lock.thread === thread && lock.from <= i && lock.to > i).map((lock) => trace.lockName(trace.event(lock.from)));
  const bufferNow = (thread, i) => trace.buffered.filter((wait) => wait.thread === thread && wait.from <= i && wait.to > i)
    .map((wait) => { const e = trace.event(wait.store); return shortName(e.name, 14) + "=" + e.value; });
  const chipRow = (texts, thread, y, style) => {
    let x = markX(thread) - 9;
    const end = size.starts[thread] + size.lanes[thread] - 8;
    return texts.map((text) => {
      const short = cut(text, Math.max(2, Math.floor((end - x - 10) / 6.7))), node = x + 24 < end ? chip(x, y, short, style) : null;
      x += short.length * 6.7 + 13;
      return node;
    });
  };
  // Tracks have a number above them; what is held and what waits stands behind, for all threads.
  const trackHeads = () => {
    const drawn = [], now = lastEvent(), held = [], waiting = [];
    for (let thread = 0; thread < threads; thread++) {
      drawn.push(svg("text", { class: "head", x: markX(thread), y: 16, "text-anchor": "middle" }, svg("title", {}, trace.threadName(thread)), String(thread)));
      held.push(...heldNow(thread, now).map((text) => thread + ": " + text));
      waiting.push(...bufferNow(thread, now).map((text) => thread + ": " + text));
    }
    drawn.push(svg("text", { class: "head", x: size.text + 6, y: 16 }, cut(trace.threadName(threadNow()), Math.floor((size.width - size.text) / CHARACTER))));
    const line = (texts, y, style) => { let x = size.text + 6; return texts.map((text) => { const node = x < size.width - 60 ? chip(x, y, text, style) : null; x += text.length * 6.7 + 13; return node; }); };
    if (hasLocks) drawn.push(...line(held, HEAD + 8, "lock"));
    if (hasBuffers) drawn.push(svg("g", { class: "queue" }, waiting.length ? line(waiting, head - CHIPS + 8, "buffer") : svg("text", { class: "dim", x: size.text + 6, y: head - CHIPS + 12 }, "buffers empty")));
    return drawn;
  };
  const heads = () => {
    const drawn = [], now = lastEvent();
    if (size.compact) return trackHeads();
    for (let thread = 0; thread < threads; thread++) {
      const name = trace.threadName(thread), most = Math.floor((size.lanes[thread] - 14) / CHARACTER);
      drawn.push(svg("text", { class: "head", x: markX(thread) - 9, y: 16 }, svg("title", {}, name), cut(name, most)));
      if (hasLocks) drawn.push(...chipRow(heldNow(thread, now), thread, HEAD + 8, "lock"));
      if (hasBuffers) {
        const waiting = bufferNow(thread, now);
        drawn.push(svg("g", { class: "queue", "data-thread": thread }, svg("title", {}, "the store buffer of " + name),
          waiting.length ? chipRow(waiting, thread, HEAD + (hasLocks ? CHIPS : 0) + 8, "buffer") : svg("text", { class: "dim", x: markX(thread) - 9, y: HEAD + (hasLocks ? CHIPS : 0) + 12 }, "buffer empty")));
      }
    }
    return drawn;
  };
  // The newest value of each racy variable, where it changes.
  const memory = (rows) => {
    const drawn = [], most = Math.floor((size.column - 6) / CHARACTER);
    for (let c = 0; c < size.columns; c++) {
      const x = size.text + c * size.column + 6, location = locations[c];
      drawn.push(svg("text", { class: "head", x, y: 16 }, svg("title", {}, "memory: " + location.name), shortName(location.name, most)));
      let before = null;
      for (let k = state.top; k < state.top + rows; k++) {
        const i = eventAt(k), value = i < 0 ? before : newestValue(trace, location, state.rows[k].fold ? state.rows[k].fold.last : i) || "–";
        if (value !== before || k === state.cursor) drawn.push(svg("text", { class: value !== before && k > state.top ? "changed" : "dim", x, y: rowY(k) + 4 }, cut(value || "–", most)));
        before = value;
      }
    }
    return drawn;
  };

  const draw = () => {
    const n = state.rows.length, rows = Math.min(size.rows, n), margin = Math.min(4, rows >> 2);
    if (state.cursor < state.top + margin) state.top = state.cursor - margin;
    if (state.cursor >= state.top + rows - margin) state.top = state.cursor - rows + margin + 1;
    state.top = Math.max(0, Math.min(n - rows, state.top));
    const height = head + rows * ROW + 6, drawn = [];
    for (let k = state.top; k < state.top + rows; k++) drawn.push(rowNode(k));
    holder.replaceChildren(svg("svg", { width: size.width, height, viewBox: `0 0 ${size.width} ${height}`, role: "img",
      "aria-label": "rows " + (state.top + 1) + " to " + (state.top + rows) + " of " + n + ", one lane for each thread" },
    svg("rect", { class: "row-now", x: 0, y: rowY(state.cursor) - ROW / 2, width: size.width, height: ROW }),
    ground(rows, height), drawn, memory(rows), arrows(), heads()));
    showLane();
    source.fit(height);
  };
  const threadNow = () => {
    const row = state.rows[state.cursor];
    return row.end ? row.end.thread : trace.events[row.event][0];
  };
  const showLane = () => {
    const box = holder.parentNode, left = markX(threadNow()) - 16, right = left + size.lanes[threadNow()];
    if (!box || size.compact) return;
    if (right > box.scrollLeft + box.clientWidth) box.scrollLeft = right - box.clientWidth;
    if (left < box.scrollLeft) box.scrollLeft = left - size.gutter;
  };

  // ---- source, in step ----

  const placesNow = () => {
    const places = new Map(), row = state.rows[state.cursor];
    for (let i = lastEvent(), left = threads; i >= 0 && left > 0 && i > lastEvent() - 5000; i--) {
      const e = trace.events[i];
      if (places.has(e[0])) continue;
      const at = trace.event(i).place;
      if (at) { places.set(e[0], at); left--; }
    }
    if (row.end && row.end.place) places.set(row.end.thread, row.end.place);
    return new Map([...places].sort(([a], [b]) => a - b));
  };
  const tonesNow = () => {
    const tones = new Map(), i = eventAt(state.cursor), why = i >= 0 && state.why ? reasonOf(trace, i) : null;
    const tone = (n, style) => {
      const at = n >= trace.first && n - trace.first < trace.events.length && trace.event(n - trace.first).place;
      if (at) tones.set(at.file + ":" + at.line, style);
    };
    if (why) { tone(why.from, "tone-from"); tone(why.release, "tone-would"); tone(why.acquire, "tone-would"); }
    if (state.rows[state.cursor].end && !state.rows[state.cursor].end.ok && state.rows[state.cursor].end.place) {
      const at = state.rows[state.cursor].end.place;
      tones.set(at.file + ":" + at.line, "tone-bad");
    }
    return tones;
  };

  const go = (k) => {
    state.cursor = Math.max(0, Math.min(state.rows.length - 1, k));
    draw();
    source.show(placesNow(), threadNow(), tonesNow());
    changed();
  };
  const jump = (step) => {
    for (let k = state.cursor + step; k >= 0 && k < state.rows.length; k += step)
      if (eventAt(k) >= 0 && !state.rows[k].fold && trace.isNotable(eventAt(k))) return go(k);
    return undefined;
  };
  const play = (on) => {
    clearInterval(state.playing);
    state.playing = 0;
    if (on) {
      if (state.cursor === state.rows.length - 1) go(0);
      state.playing = setInterval(() => { if (state.cursor < state.rows.length - 1) go(state.cursor + 1); else play(false); }, STEP_MS);
    }
    changed();
  };
  holder.addEventListener("click", (click) => {
    const node = click.target.closest("[data-row]");
    if (!node) return;
    if (node.dataset.fold) { state.unfolded.add(Number(node.dataset.fold)); choose(); }
    else go(Number(node.dataset.row));
  });
  // Where to begin: an event that the address names, the first surprise, else the failure.
  const begin = () => {
    state.rows = [...foldLoops(trace, shownEvents(), state.unfolded), ...endRows(trace)];
    const notable = state.rows.map((row, k) => (!row.end && !row.fold && trace.isNotable(row.event) ? k : -1)).filter((k) => k >= 0);
    const end = state.rows.findIndex((row) => row.end), first = trace.lies ? notable[0] : notable[notable.length - 1];
    const at = place === "end" || (place === null && !notable.length) ? end : place !== null ? rowOf(place - 1 - trace.first) : first;
    layout();
    go(at);
    new ResizeObserver(() => { const before = size.width; layout(); if (size.width !== before) draw(); }).observe(holder.parentNode);
  };

  return {
    holder, source: source.node, state, begin, go, jump, play, choose, draw, eventAt, trace,
    setOrder: (on) => { state.order = on ? happensBefore(trace) : null; go(state.cursor); },
    setWhy: (on) => { state.why = on; go(state.cursor); },
    setAll: (on) => { state.all = on; choose(); },
  };
};
