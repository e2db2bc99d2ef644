// ---- list.js: all findings, by severity, to be searched and filtered.

const findingList = (choose) => {
  const state = { hidden: new Set(), text: "" };
  const search = el("input", { type: "search", placeholder: "Search  /", "aria-label": "search findings", oninput: () => { state.text = search.value.toLowerCase(); draw(); } });
  const chips = el("div", { class: "chips", role: "group", "aria-label": "show" }), list = el("div", { class: "list", tabindex: "-1" }), count = el("p", { class: "count dim", role: "status" });
  const programs = [...new Set(findings.map((finding) => finding.run.target))];
  const program = programs.length > 1 ? el("select", { "aria-label": "program", onchange: () => draw() }, el("option", { value: "" }, "all programs"),
    programs.map((name) => el("option", { value: name }, shortPath(name, 40)))) : null;

  const words = (finding) => [finding.name, finding.sentence, finding.verdict, finding.model, finding.run.target, ...finding.accesses.map(placeText), ...finding.accesses.map((access) => access.function)].join(" ").toLowerCase();
  const isShown = (finding) => !state.hidden.has(finding.group.key) && (!program || !program.value || finding.run.target === program.value) &&
    state.text.split(/\s+/).every((word) => words(finding).includes(word));
  const shown = () => findings.filter(isShown);

  const item = (finding, current) => el("li", { class: finding.parent ? "child" : null }, el("a", { href: "#" + finding.slug, "aria-current": finding === current ? "true" : null, title: finding.name },
    el("span", { class: "name mono" }, finding.overview ? "verify " + finding.name : shortName(finding.name, 60)), finding.model ? el("span", { class: "model" }, finding.model) : null,
    el("span", { class: "where dim" }, [finding.accesses.length ? fileLine(userPlace(finding.accesses[0])) : finding.overview ? plural(finding.run.result.executions, "execution") : "",
      programs.length > 1 && !finding.overview ? finding.run.target.split(" ")[0].split("/").pop() : ""].filter((text) => text).join(" · "))));
  const draw = () => {
    const visible = shown(), current = choose.current();
    list.replaceChildren(...groups.filter((group) => visible.some((finding) => finding.group === group)).map((group) => el("section", {},
      el("h2", { class: group.key }, group.title + " ", el("span", {}, String(visible.filter((finding) => finding.group === group).length))),
      el("ul", {}, visible.filter((finding) => finding.group === group).map((finding) => item(finding, current))))));
    setText(count, visible.length === findings.length ? plural(findings.length, "finding") : visible.length + " of " + plural(findings.length, "finding"));
    const now = list.querySelector("[aria-current]");
    if (now) keepInSight(now);
  };
  const keepInSight = (node) => {
    const top = node.offsetTop - list.offsetTop;
    if (top < list.scrollTop + 30) list.scrollTop = top - 60;
    else if (top > list.scrollTop + list.clientHeight - 60) list.scrollTop = top - list.clientHeight + 100;
  };
  const present = groups.filter((group) => findings.some((finding) => finding.group === group));
  chips.append(...present.map((group) => {
    const chip = el("button", { type: "button", class: "chip " + group.key, "aria-pressed": "true", onclick: () => {
      if (state.hidden.has(group.key)) state.hidden.delete(group.key); else state.hidden.add(group.key);
      chip.setAttribute("aria-pressed", String(!state.hidden.has(group.key)));
      draw();
    } }, group.chip + " " + findings.filter((finding) => finding.group === group).length);
    return chip;
  }));
  const step = (by) => {
    const visible = shown(), at = visible.indexOf(choose.current());
    const next = visible[Math.max(0, Math.min(visible.length - 1, at < 0 ? 0 : at + by))];
    if (next) location.hash = next.slug;
  };
  const node = el("div", { class: "list-box" }, search, present.length > 1 ? chips : null, program, count, list,
    quietRuns.length ? el("ul", { class: "quiet dim" }, quietRuns.map(([run, text]) => el("li", {}, "Nothing found in ", el("code", {}, run.target), ": " + text))) : null,
    el("p", { class: "keys dim" }, el("kbd", {}, "/"), " search ", el("kbd", {}, "j"), " ", el("kbd", {}, "k"), " findings ", el("kbd", {}, "←"), " ", el("kbd", {}, "→"), " events ", el("kbd", {}, "n"), " ", el("kbd", {}, "p"), " lies ", el("kbd", {}, "space"), " play"));
  return { node, draw, step, focus: () => search.focus() };
};
