// ---- main.js: addresses, keys, and what is on the screen.

const main = document.getElementById("main"), nav = document.getElementById("findings"), menu = document.getElementById("menu");
let current = null, view = null, written = "";

const causesText = () => {
  const bad = findings.filter((finding) => finding.group === groups[0]), causes = bad.filter((finding) => !finding.parent).length;
  return causes < bad.length ? " · likely " + plural(causes, "cause") : "";
};
const summaryText = () => {
  const parts = groups.map((group) => [group, findings.filter((finding) => finding.group === group && !finding.overview).length]).filter(([, n]) => n);
  return parts.map(([group, n]) => n + " " + ({ breaks: "break" + (n === 1 ? "s" : "") + " the program", slower: "slower", open: "not judged", benign: "benign", runs: "explored" })[group.key]).join(" · ") + causesText() || "nothing found";
};

// "#ring/16": the finding, and the event. Steps do not fill the history.
const setAddress = (finding, event) => {
  written = finding.slug + "/" + event;
  if (decodeURIComponent(location.hash.slice(1)) !== written) history.replaceState(null, "", "#" + written);
};
const address = () => {
  const text = decodeURIComponent(location.hash.slice(1)), slash = text.lastIndexOf("/");
  const slug = slash < 0 ? text : text.slice(0, slash), event = slash < 0 ? null : text.slice(slash + 1);
  return { finding: slugs.get(slug) || null, place: event === null || event === "" ? null : event === "end" ? "end" : Number(event) || null };
};

const show = (finding, place) => {
  if (view) view.stop();
  current = finding;
  view = findingView(finding, place);
  main.replaceChildren(view.node);
  window.scrollTo(0, 0);
  main.scrollTop = 0;
  document.title = finding.name.slice(0, 80) + " – Stalemate report";
  view.start();
  list.draw();
};
const openMenu = (open) => {
  document.body.classList.toggle("menu-open", open);
  menu.setAttribute("aria-expanded", String(open));
};
const follow = () => {
  const { finding, place } = address();
  openMenu(false);
  if (decodeURIComponent(location.hash.slice(1)) === written) return;
  if (finding && finding === current && place !== null) view.goTo(place);
  else if (finding) show(finding, place);
};

const list = findingList({ current: () => current });
nav.append(list.node);
menu.addEventListener("click", () => openMenu(!document.body.classList.contains("menu-open")));
window.addEventListener("hashchange", follow);

const globalKeys = { "/": () => { openMenu(true); list.focus(); }, j: () => list.step(1), k: () => list.step(-1) };
document.addEventListener("keydown", (press) => {
  const typing = press.target.closest("input[type=search], select, textarea"), ranging = press.target.closest("input[type=range]");
  if (press.key === "Escape") { openMenu(false); if (typing) typing.blur(); return; }
  if (press.ctrlKey || press.altKey || press.metaKey || typing || (ranging && press.key.length > 1)) return;
  const inFigure = press.target.closest("figure"), own = view && view.keys[press.key];
  // Keys that scroll or press belong to the page until the timeline has the focus.
  const taken = ["Home", "End", "PageUp", "PageDown"].includes(press.key) && !inFigure;
  const presses = press.key === " " && press.target.closest("button, a, summary, label, input");
  const action = globalKeys[press.key] || (taken || presses ? null : own);
  if (!action) return;
  press.preventDefault();
  action();
});

setText(document.getElementById("summary"), summaryText());
setText(menu, plural(findings.length, "finding"));
const first = address();
if (findings.length) show(first.finding || findings[0], first.finding ? first.place : null);
else main.replaceChildren(el("article", { class: "finding" }, el("h2", {}, "Nothing found"),
  el("ul", {}, quietRuns.map(([run, text]) => el("li", {}, "Nothing found in ", el("code", {}, run.target), ": " + text + ".")))));
if (!findings.length) { nav.remove(); menu.remove(); document.body.classList.add("alone"); }
