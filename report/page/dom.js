// ---- dom.js: making nodes. Texts only ever become text nodes.

const build = (make) => (name, attributes, ...children) => {
  const node = make(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return node;
};
const el = build((name) => document.createElement(name));
const svg = build((name) => document.createElementNS("http://www.w3.org/2000/svg", name));

const plural = (n, noun) => n.toLocaleString("en") + " " + noun + (n === 1 ? "" : "s");
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const setText = (node, text) => { if (node.textContent !== text) node.textContent = text; };
const cut = (text, most) => (text.length > most ? text.slice(0, Math.max(1, most - 1)) + "…" : text);

// The arguments of templates, left out: Map<…>.count
const withoutArguments = (name) => {
  let depth = 0, short = "";
  for (const c of name) {
    if (c === "<" && depth++ === 0) short += "<…";
    if (c === ">" && depth > 0) depth--;
    if (depth === 0) short += c;
  }
  return depth ? name : short;
};
// Of what is still too long, the end: …_M_use_count
// "std::__shared_ptr<Config>._M_ptr" is a field of a std::shared_ptr to everybody.
const libraryField = (name) => name.replace(/^std::_*(\w+?)(_base)?(<.*>)?\.(?:_M_)?([\w$]+)$/, (_, type, base, of, field) => "std::" + type.toLowerCase().replace("sp_counted", "shared_ptr") + "." + field);
const shortName = (full, most) => {
  const name = libraryField(full);
  const short = name.length > most ? withoutArguments(name) : name;
  const field = /[.>](\w+(\[[^\]]*\])?)$/.exec(short);
  if (short.length > most && field && field[1].length + 2 <= most) return "…." + field[1];
  return short.length > most ? "…" + short.slice(short.length - Math.max(1, most - 1)) : short;
};
// The end of a path is the part that differs.
const shortPath = (path, most) => (path.length > most ? "…" + path.slice(path.length - most + 1) : path);

const placeText = (place) => {
  if (!place || !place.file) return place && place.function ? place.function : "an unknown place";
  return place.file + (place.line ? ":" + place.line : "");
};
// The innermost place in the user's own code, as far as its path tells.
const isLibraryFile = (file) => /^\/usr\/include\/|\/include\/c\+\+\/|\/lib\/(gcc|clang|llvm-)/.test(file);
const userPlace = (access) => [access, ...(access.stack || [])].find((place) => place.file && !isLibraryFile(place.file)) || access;
const fileLine = (place) => (place && place.file ? place.file.split("/").pop() + (place.line ? ":" + place.line : "") : "");

// "ring.c:12: void *consume(void *): Assertion `x' failed.": the place is drawn anyway.
const endLine = (kind, line) => {
  const assertion = /: (Assertion [`'].*)$/.exec(line);
  return assertion ? assertion[1] : kind + ": " + line;
};
