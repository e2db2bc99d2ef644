// ---- outcomes.js: what verify saw, over all executions.

const outcomesTable = (finding) => {
  const result = finding.run.result, violations = findings.filter((other) => other.run === finding.run && other.verdict === "verify/violation");
  const total = (result.outcomes || []).reduce((sum, outcome) => sum + outcome.count, 0);
  const show = (path, name) => (path && data.witnesses[path] !== undefined ? el("button", { type: "button", onclick: () => showExecution(finding, path, name) }, "show one") : el("span", { class: "dim" }, "–"));
  const row = (outcome, i) => el("tr", {}, el("td", {}, el("pre", { class: "output" }, outcome.output.replace(/\n$/, "") || "(no output)")),
    el("td", { class: "number" }, outcome.count.toLocaleString("en")), el("td", { class: outcome.allowed === false ? "bad" : "dim" }, outcome.allowed === false ? "forbidden" : outcome.allowed ? "allowed" : ""), el("td", {}, show(outcome.witness, "outcome " + (i + 1))));
  const failure = (other) => el("tr", {}, el("td", { class: "bad" }, other.sentence), el("td", { class: "number dim" }, "–"), el("td", { class: "bad" }, "violation"), el("td", {}, el("a", { href: "#" + other.slug }, "show one")));
  return el("section", { class: "outcomes" }, el("h3", {}, "Outcomes"),
    el("p", { class: "dim" }, plural(result.executions, "execution") + (result.complete ? ", all there are" : ", not all there are") + (result.blocked ? "; " + result.blocked.toLocaleString("en") + " blocked" : "") + "; " + total.toLocaleString("en") + " ended by themselves"),
    el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "outcomes" }, el("table", {},
      el("thead", {}, el("tr", {}, ["output", "executions", "", "an execution"].map((text, i) => el("th", { scope: "col", class: i === 1 ? "number" : null }, text || el("span", { class: "hidden" }, "verdict"))))),
      el("tbody", {}, (result.outcomes || []).map(row), violations.map(failure)))));
};
