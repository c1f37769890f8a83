// The box for SQL: colours, names that are offered while one types, earlier queries, an address to copy.
(() => {
  "use strict";
  const make = (name, properties, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };
  const text = document.querySelector("form.choice textarea[name=query]");
  const { form } = text;

  // Colours: the text once more behind the box, whose own letters are not seen.
  const KEYWORDS = new Set(("all and any anti as asc between by case cast columns cross cube desc describe distinct else end "
    + "except exclude exists false filter first following from full glob group grouping having ilike in inner intersect interval "
    + "is isnull join lateral last left like limit list natural not notnull null nulls offset on or order outer over partition "
    + "pivot positional preceding qualify range recursive replace right rollup rows sample select semi sets similar struct summarize "
    + "table then true try_cast unbounded union unnest unpivot using values when where window with within").split(" "));
  const TOKENS = /(?<comment>--[^\n]*|\/\*[^]*?(?:\*\/|$))|(?<string>'(?:[^']|'')*(?:'|$))|(?<name>"(?:[^"]|"")*(?:"|$))|(?<number>\b\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?\b)|(?<word>[\p{L}_][\p{L}\p{N}_]*)/giu;
  const painted = make("pre", { className: "painted" });
  painted.setAttribute("aria-hidden", "true");
  const box = make("span", { className: "query" }, painted);
  text.before(box);
  box.append(text);
  let names = {};

  const kindOf = ({ word, ...others }) => {
    if (word === undefined) return Object.keys(others).find((kind) => others[kind] !== undefined);
    if (KEYWORDS.has(word.toLowerCase())) return "keyword";
    return Object.hasOwn(names, word.toLowerCase()) ? "name" : "";
  };
  const paint = () => {
    const pieces = [];
    let end = 0;
    for (const match of text.value.matchAll(TOKENS)) {
      const kind = kindOf(match.groups);
      if (!kind) continue;
      pieces.push(text.value.slice(end, match.index), make("span", { className: kind, textContent: match[0] }));
      end = match.index + match[0].length;
    }
    // A last line that is empty has no height of its own.
    painted.replaceChildren(...pieces, `${text.value.slice(end)}\n `);
    painted.scrollTop = text.scrollTop;
    painted.scrollLeft = text.scrollLeft;
  };
  text.addEventListener("input", paint);
  text.addEventListener("scroll", paint);
  const write = (value) => {
    text.value = value;
    paint();
    text.focus();
  };

  // Names of tables and columns are offered below the text: of columns those of tables in it.
  const setUpNames = () => {
    const list = make("ul", { id: "names", className: "names", role: "listbox", hidden: true });
    list.setAttribute("aria-label", "Tables and columns");
    text.closest("label").after(list);
    text.setAttribute("aria-controls", "names");
    text.setAttribute("aria-autocomplete", "list");
    const fetched = fetch(text.dataset.names).then((answer) => answer.json()).catch(() => ({})).then((all) => { names = all; paint(); });
    let chosen = 0;

    const typed = () => /[\w.]*$/.exec(text.value.slice(0, text.selectionStart))[0].split(".").pop();
    const close = () => { list.hidden = true; text.removeAttribute("aria-activedescendant"); };
    const point = (place) => {
      chosen = (place + list.children.length) % list.children.length;
      [...list.children].forEach((item, n) => item.setAttribute("aria-selected", n === chosen));
      list.children[chosen].scrollIntoView({ block: "nearest" });
      text.setAttribute("aria-activedescendant", list.children[chosen].id);
    };
    const take = (name) => {
      const end = text.selectionStart;
      text.setRangeText(name, end - typed().length, end, "end");
      close();
      paint();
      text.focus();
    };
    const offer = async () => {
      await fetched;
      const start = typed().toLowerCase();
      const used = Object.keys(names).filter((name) => new RegExp(`\\b${name}\\b`).test(text.value));
      const columns = used.flatMap((name) => Object.entries(names[name]));
      const all = new Map([...Object.keys(names).map((name) => [name, "table or view"]), ...columns]);
      const offered = start ? [...all].filter(([name]) => name.startsWith(start) && name !== start).slice(0, 12) : [];
      list.replaceChildren(...offered.map(([name, meaning], n) => {
        const item = make("li", { id: `name-${n}`, role: "option" }, make("b", { textContent: name }), ` ${meaning}`);
        item.addEventListener("pointerdown", (event) => { event.preventDefault(); take(name); });
        return item;
      }));
      if (!offered.length) { close(); return; }
      list.hidden = false;
      point(0);
    };
    text.addEventListener("input", offer);
    text.addEventListener("blur", close);
    text.addEventListener("keydown", (event) => {
      if (list.hidden || event.ctrlKey || event.metaKey) return;
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step) point(chosen + step);
      else if (event.key === "Enter" || event.key === "Tab") take(list.children[chosen].firstChild.textContent);
      else if (event.key === "Escape") close();
      else return;
      event.preventDefault();
    });
  };

  // Queries that were run before, the latest first; they stay in this browser.
  const KEY = "sr-tracker queries";
  const MOST = 30;
  const title = form.elements.namedItem("name");
  const earlier = () => {
    try {
      const kept = JSON.parse(localStorage.getItem(KEY) ?? "[]");
      return Array.isArray(kept) ? kept.filter((item) => typeof item?.query === "string") : [];
    } catch {
      return []; // A browser may keep nothing, or something else.
    }
  };
  const keep = (queries) => {
    try { localStorage.setItem(KEY, JSON.stringify(queries)); } catch { /* It keeps nothing. */ }
    showEarlier();
  };
  const past = make("details", { className: "examples earlier" });
  const showEarlier = () => {
    const queries = earlier();
    past.hidden = !queries.length;
    const items = queries.map(({ query, name }) => {
      const button = make("button", { type: "button", title: query, textContent: name || query.replace(/\s+/g, " ") });
      button.addEventListener("click", () => { title.value = name ?? ""; write(query); });
      return make("li", {}, button);
    });
    const forget = make("button", { type: "button", textContent: "Forget them" });
    forget.addEventListener("click", () => keep([]));
    past.replaceChildren(make("summary", { textContent: `Earlier queries (${queries.length})` }), make("ol", {}, ...items), forget);
  };
  const remember = () => {
    const query = text.value.trim();
    if (!query) return;
    const others = earlier().filter((item) => item.query !== query);
    keep([{ query, name: title.value.trim() }, ...others].slice(0, MOST));
  };
  form.addEventListener("submit", remember);

  // The address of what stands in the box: a server takes it as a question, a site after the mark.
  const copy = make("button", { type: "button", textContent: "Copy address" });
  const copied = make("span", { className: "muted", role: "status" });
  copy.addEventListener("click", async () => {
    const state = new URLSearchParams(new FormData(form));
    if (!title.value.trim()) state.delete("name");
    const mark = document.body.dataset.news ? "?" : "#";
    const address = new URL(`${mark}${state}`, location.href.split(/[?#]/)[0]).href;
    history.replaceState(null, "", address);
    try {
      await navigator.clipboard.writeText(address);
      copied.textContent = "copied";
    } catch {
      copied.textContent = "it is in the browser's address bar";
    }
  });
  form.append(copy, copied);
  form.after(past);

  if (text.dataset.names) setUpNames();
  text.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); form.requestSubmit(); }
  });
  addEventListener("hashchange", paint);
  showEarlier();
  paint();
})();
