// ---- trace.js: the events of a witness, and what follows from them.

const MORE = 1, DELAYED = 16, LIED = 32, EXTERNAL = 64; // abi/record.h
const SHARED = -1; // in place of a thread
const INITIAL = -1, PARTS = -2; // report/html_trace.c

const LOCKS = new Set(["lock", "read-lock", "write-lock"]), UNLOCKS = new Set(["unlock", "read-unlock", "write-unlock"]);
const STORES = new Set(["write", "atomic-write", "rmw"]), READS = new Set(["read", "atomic-read"]);

const makeTrace = (trace) => {
  const event = (i) => {
    const row = trace.events[i];
    const [thread, kind, at, value, flags, rf, newest, address, other, name] = row;
    const place = trace.places[at] || null;
    return { i, thread, kind: data.kinds[kind], value, flags, rf, newest, address, other,
      place: place ? { file: place[0], line: place[1], function: place[2] } : null, name: trace.names[name] || "" };
  };
  const threadName = (thread) => "thread " + thread + (trace.starts[thread] ? " · " + trace.starts[thread] : "");
  const isFuture = (i) => trace.events[i][5] !== null && trace.events[i][5] - trace.first > i && data.kinds[trace.events[i][1]] !== "flush";
  const isSurprise = (i) => trace.events[i][6] >= 0 || isFuture(i);
  const isRacy = (i) => (trace.events[i][4] & LIED) !== 0;
  const owners = new Map();
  trace.events.forEach((row) => { if (row[3] !== null && !(row[4] & EXTERNAL)) owners.set(row[7], owners.has(row[7]) && owners.get(row[7]) !== row[0] ? SHARED : row[0]); });
  const isShared = (i) => owners.get(trace.events[i][7]) === SHARED;
  const isAccess = (i) => trace.events[i][3] !== null;
  const number = (i) => "#" + (trace.first + i + 1);
  const lockName = (e) => e.name || "lock at …" + trace.addresses[e.address].slice(-4);
  const parts = (e) => {
    if (e.kind === "create" || e.kind === "join") return [e.kind, "thread " + e.other, ""];
    if (e.kind === "flush") { const store = event(e.rf - trace.first); return ["flush", store.name, "= " + store.value]; }
    if (LOCKS.has(e.kind) || UNLOCKS.has(e.kind)) return [e.kind, lockName(e), ""];
    return [e.kind, e.name, e.value !== null ? "= " + e.value : ""];
  };
  const label = (i) => parts(event(i)).filter((part) => part).join(" ");
  const describe = (i) => {
    const e = event(i);
    return number(i) + " " + threadName(e.thread) + ": " + label(i) + (e.place ? " at " + placeText(e.place) : "");
  };
  // Where to look: surprising reads, or, without any, accesses that race.
  const lies = trace.events.some((_, i) => isSurprise(i));
  const isNotable = (i) => (lies ? isSurprise(i) : trace.first + i in trace.reasons);
  // What the surprises are about stays in sight when loops are folded.
  const pinned = {};
  const pin = (n) => { if (n >= trace.first && n - trace.first < trace.events.length) pinned[n - trace.first] = true; };
  trace.events.forEach((row, i) => { if (isSurprise(i)) { pin(row[5]); pin(row[6]); } });
  for (const why of Object.values(trace.reasons)) [why.from, why.to, why.release, why.acquire].forEach(pin);
  return { ...trace, pinned, lies, isNotable, event, threadName, isFuture, isSurprise, isRacy, isShared, isAccess, number, lockName, parts, label, describe, ...derived(trace, event) };
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

// Who holds which lock, which stores wait in a buffer: from event to event, both as spans of a lane.
const derived = (trace, event) => {
  const last = trace.events.length, locks = [], buffered = [], open = new Map();
  const kinds = new Set([...LOCKS, ...UNLOCKS, "flush"].map((word) => data.kinds.indexOf(word)));
  trace.events.forEach((row, i) => {
    if (row[4] & DELAYED) { const span = { thread: row[0], from: i, to: last, store: i }; buffered.push(span); open.set("b" + i, span); }
    if (!kinds.has(row[1])) return;
    const e = event(i), key = e.thread + ":" + e.address;
    if (LOCKS.has(e.kind)) { const span = { thread: e.thread, from: i, to: last, address: e.address }; locks.push(span); open.set(key, span); }
    else if (UNLOCKS.has(e.kind) && open.has(key)) open.get(key).to = i;
    else if (e.kind === "flush" && open.has("b" + (e.rf - trace.first))) open.get("b" + (e.rf - trace.first)).to = i;
  });
  return { locks, buffered };
};

// Elements of one array have one name: from the second on, they say how far on they are.
const apart = (trace, places) => {
  const first = new Map();
  places.sort(([a], [b]) => a - b);
  for (const [address, place] of places) {
    const base = first.get(place.name);
    if (base === undefined) first.set(place.name, address);
    else place.name += " +" + (BigInt("0x" + trace.addresses[address]) - BigInt("0x" + trace.addresses[base]));
  }
  return places.map(([, place]) => place);
};

// The racy locations: who stored to them when.
const racyLocations = (trace) => {
  const places = new Map();
  trace.events.forEach((row, i) => {
    if (!trace.isRacy(i) || row[3] === null) return;
    const e = trace.event(i);
    if (!places.has(e.address)) places.set(e.address, { name: e.name || trace.addresses[e.address], initial: null, stores: [], threads: new Set() });
    const place = places.get(e.address);
    place.threads.add(e.thread);
    if (STORES.has(e.kind)) place.stores.push(i);
    else if (e.rf === INITIAL && place.initial === null) place.initial = e.value;
  });
  return apart(trace, [...places]).filter((place) => place.threads.size > 1 || places.size < 3);
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

// ---- rows: what the timeline shows, one below the other

// Each row is {event}, {fold: [first, count, period]} or {end}.
const MOST_PERIOD = 8;

const sameStep = (trace, a, b) => {
  const x = trace.events[a], y = trace.events[b];
  return x[0] === y[0] && x[1] === y[1] && x[2] === y[2] && x[7] === y[7];
};

// From k on, so many rounds of a loop of this length follow each other.
const rounds = (trace, shown, k, period, plain) => {
  let n = 1;
  for (let at = k + period; at + period <= shown.length; at += period, n++)
    for (let j = 0; j < period; j++)
      if (!plain(shown[at + j]) || !sameStep(trace, shown[k + j], shown[at + j])) return n;
  return n;
};

const findLoop = (trace, shown, k, plain) => {
  for (let period = 1; period <= MOST_PERIOD && k + 2 * period <= shown.length; period++) {
    if (!sameStep(trace, shown[k], shown[k + period])) continue;
    const n = rounds(trace, shown, k, period, plain);
    if (n >= 4) return { period, n };
  }
  return null;
};

// The first and the last round of a loop stay; those between are one row.
const foldLoops = (trace, shown, unfolded) => {
  const rows = [], plain = (i) => !trace.isSurprise(i) && !(i in trace.pinned);
  for (let k = 0; k < shown.length;) {
    const loop = plain(shown[k]) && !unfolded.has(shown[k]) ? findLoop(trace, shown, k, plain) : null;
    if (!loop) { rows.push({ event: shown[k++] }); continue; }
    const { period, n } = loop, end = k + (n - 1) * period;
    for (let j = 0; j < period; j++) rows.push({ event: shown[k + j] });
    rows.push({ event: shown[k + period], fold: { key: shown[k], rounds: n - 2, last: shown[end - 1], period } });
    for (let j = 0; j < period; j++) rows.push({ event: shown[end + j] });
    k += n * period;
  }
  return rows;
};

// The failure is the last thing that happens; of a deadlock, what each thread waits for.
const endRows = (trace) => {
  const end = trace.end;
  if (!end || end.kind === "none" || !end.kind) return [{ end: { thread: end ? end.thread : 0, ok: true, text: "exits with status " + (end ? end.status : 0), place: null } }];
  const lines = end.detail.split("\n").filter((line) => line);
  const waits = end.kind === "deadlock" ? waitsOf(end.detail) : [];
  if (waits.length) return waits.map((wait) => ({ end: { ...wait, whole: end.detail } }));
  return [{ end: { thread: end.thread, text: endLine(end.kind, lines[0] || ""), place: end.place } }];
};
// "thread 1 holds 'a' (ring.c:4) and wants 'b' (ring.c:5); thread 2 ... (:12)": what a thread holds
// is drawn; what it wants is to be said.
const waitsOf = (detail) => {
  let file = "";
  return detail.split(/[;\n]\s*(?=thread \d)/).flatMap((line) => {
    const thread = /^thread (\d+)/.exec(line), wants = /\b(wants|waits)\b[^()]*(\((\S*):(\d+)( in [^)]*)?\))?/.exec(line);
    if (!thread || !wants) return [];
    const first = /\((\S+):\d+/.exec(line);
    file = wants[3] || (first && first[1]) || file;
    return [{ thread: Number(thread[1]), text: wants[0].replace(/\(.*$/, "").trim(), place: wants[4] ? { file, line: Number(wants[4]) } : null }];
  });
};
