// ---- data.js: the findings, from what `stalemate report` put into #data.

const data = JSON.parse(document.getElementById("data").textContent);

// Witnesses are parsed when somebody looks at them.
const parsed = new Map();
const traceOf = (path) => {
  const number = path ? data.witnesses[path] : undefined;
  if (number === undefined) return null;
  if (!parsed.has(number)) parsed.set(number, makeTrace(JSON.parse(document.getElementById("witness-" + number).textContent)));
  return parsed.get(number);
};
const newestPath = (path) => (path ? path.replace(/\.smw$/, "") + ".newest" : null);

// By what they do to the program; the list is in this order.
const groups = [
  { key: "breaks", title: "Breaks the program", chip: "Breaks", verdicts: ["destructive", "failure", "detect/failure", "verify/violation", "atomicity/violation"] },
  { key: "slower", title: "Slower", chip: "Slower", verdicts: ["qos"] },
  { key: "open", title: "Not judged", chip: "Not judged", verdicts: ["undecided", "detect/race", "verify/race"] },
  { key: "benign", title: "Benign", chip: "Benign", verdicts: ["benign", "proved-benign"] },
  { key: "runs", title: "Explored", chip: "Explored", verdicts: ["verify"] },
];
const groupOf = (verdict) => groups.find((group) => group.verdicts.includes(verdict)) || groups[2];

const raceFinding = (run, race) => ({
  run, name: race.object || race.variable, verdict: race.verdict, model: race.model, race, accesses: race.accesses, witness: race.witness,
  story: race.story || [], advice: race.advice || null, headline: race.title ? capital(race.title) : null,
  sentence: race.verdict === "destructive" ? "The race on " + race.variable + " breaks the program" : "The race on " + race.variable + ": " + data.meanings[race.verdict],
});
const failureFinding = (run, failure) => ({
  run, name: failure.kind, verdict: "failure", model: failure.model || "sc", race: null, witness: failure.witness, story: failure.story || [],
  accesses: failure.place ? [{ ...failure.place, kind: failure.kind, thread: failure.thread, stack: failure.stack || [] }] : [],
  sentence: failure.kind === "deadlock" ? "Deadlock: " + failure.detail.split("\n")[0].replace(/([^\s(]*\/)([^/\s]+:\d+)/g, "$2")
    : capital(endLine(failure.kind, (failure.detail || "").split("\n")[0]).replace(/^exit: /, "")) + (failure.place ? " at " + fileLine(failure.place) : ""), failure, headline: failure.title ? capital(failure.title) : null,
});
// One set is violated in several units: "withdraw: account.balance".
const unitName = (run, i) => (run.result.command === "atomicity" ? run.result.violations[i].unit + ": " + run.result.violations[i].fields : null);
// A unit has the name that the source gives it; of "assert: thread 2 fails" the second half says all.
const foundSentence = (run, text) => (run.result.command === "atomicity" ? text : capital(text.replace(/^(assert|signal|exit): (?=thread |the program )/, "")));
const otherFinding = (run, found, i) => ({
  run, name: unitName(run, i) || found.name, verdict: found.rule, model: run.result.model, race: null, accesses: found.accesses, witness: found.witness,
  story: found.message.split("\n").slice(1), sentence: foundSentence(run, found.message.split("\n")[0]), found, number: i,
});
// What was explored is a result, too, with or without findings.
const runFinding = (run) => ({
  run, name: run.target, verdict: "verify", model: run.result.model, race: null, accesses: [], witness: null, story: [],
  sentence: capital(run.summary), overview: true,
});

const findings = [
  ...data.hunts.flatMap((run) => [
    ...run.result.races.map((race) => raceFinding(run, race)),
    ...(run.result.failures || []).map((failure) => failureFinding(run, failure))]),
  ...data.others.flatMap((run) => [
    ...(run.result.command === "verify" ? [runFinding(run)] : []),
    ...run.findings.map((found, i) => otherFinding(run, found, i))]),
];
for (const finding of findings) finding.group = groupOf(finding.verdict);
const rank = (finding) => 10 * groups.indexOf(finding.group) + finding.group.verdicts.indexOf(finding.verdict);
findings.sort((a, b) => rank(a) - rank(b));

// A finding with the cause of another one stands behind it.
const causeOf = (finding) => (finding.race || finding.failure || {}).cause || null;
for (const finding of findings) {
  const cause = causeOf(finding);
  finding.parent = cause ? findings.find((other) => other.run === finding.run && other.witness === cause && other !== finding && !causeOf(other)) || null : null;
}
const childrenOf = (finding) => findings.filter((other) => other.parent === finding);
findings.splice(0, findings.length, ...findings.filter((finding) => !finding.parent).flatMap((finding) => [finding, ...childrenOf(finding)]));

// The part of an address that names a finding: "ring" of ring[], numbered when taken.
const slugs = new Map();
for (const finding of findings) {
  const base = finding.name.replace(/[^A-Za-z0-9_.]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 60) || "finding";
  let slug = base;
  for (let n = 2; slugs.has(slug); n++) slug = base + "-" + n;
  slugs.set(slug, finding);
  finding.slug = slug;
}

const quietRuns = [
  ...data.hunts.filter((run) => !run.result.races.length && !(run.result.failures || []).length).map((run) => [run, "hunt: no race seen"]),
  ...data.others.filter((run) => !run.findings.length && run.result.command !== "verify").map((run) => [run, run.summary])];
