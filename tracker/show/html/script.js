(() => {
  "use strict";
  const make = (name, properties) => Object.assign(document.createElement(name), properties);
  const order = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

  // What a cell is sorted by: a number, a text, or null for an undefined value, which comes last.
  const keyOf = (row, column, numeric) => {
    const cell = row.cells[column];
    const text = cell.dataset.sort ?? cell.textContent.trim();
    if (text === "" || text === "–") return null;
    return numeric ? Number(text) : text;
  };

  const compare = (a, b, sign) => {
    if (a === null || b === null) return (a === null) - (b === null);
    return sign * (typeof a === "number" ? a - b : order.compare(a, b));
  };

  const setUp = (table) => {
    const body = table.tBodies[0];
    const rows = [...body.rows];
    const shown = Number(table.dataset.shown ?? Infinity);
    const heads = [...table.tHead.rows[0].cells];
    const box = table.closest(".table");
    const more = make("button", { type: "button" });
    let all = rows.length <= shown + 2;
    let wanted = "";

    const refresh = () => {
      let seen = 0;
      for (const row of body.rows) {
        const fits = wanted === "" || row.textContent.toLowerCase().includes(wanted);
        row.classList.toggle("filtered", !fits);
        seen += fits;
        row.classList.toggle("cut", fits && !all && seen > shown);
      }
      more.hidden = all || seen <= shown;
      more.textContent = `Show all ${seen.toLocaleString("en")} rows`;
    };

    const sort = (column) => {
      const head = heads[column];
      const numeric = /number|probability|links|yes/.test(head.className);
      const before = head.getAttribute("aria-sort");
      const first = numeric && !/yes|probability/.test(head.className) ? "descending" : "ascending";
      const other = first === "ascending" ? "descending" : "ascending";
      const direction = before === first ? other : first;
      for (const each of heads) each.setAttribute("aria-sort", each === head ? direction : "none");
      const sign = direction === "ascending" ? 1 : -1;
      const keyed = [...body.rows].map((row) => [keyOf(row, column, numeric), row]);
      keyed.sort(([a], [b]) => compare(a, b, sign));
      body.append(...keyed.map(([, row]) => row));
      refresh();
    };

    heads.forEach((head, column) => {
      // What leads is sorted by the server: the order is in the address. Marks follow their values.
      if (head.querySelector("a, .unseen")) return;
      const button = make("button", { type: "button" });
      button.append(...head.childNodes);
      button.addEventListener("click", () => sort(column));
      head.append(button);
      head.setAttribute("aria-sort", "none");
    });
    if (box.hasAttribute("data-filter")) {
      const search = make("input", { type: "search", placeholder: "Find words, submissions, ids" });
      search.setAttribute("aria-label", "Show only rows that contain this");
      search.addEventListener("input", () => {
        wanted = search.value.trim().toLowerCase();
        refresh();
      });
      const bar = make("div", { className: "more above" });
      bar.append(search);
      box.prepend(bar);
    }
    more.addEventListener("click", () => { all = true; refresh(); });
    const below = make("div", { className: "more below" });
    if (!all) { below.append(more); box.append(below); }
    refresh();
  };

  // What draws charts is part of a page that stands alone; others take it from beside this script.
  const here = document.currentScript.src;
  let bundle = null;
  const drawing = () => {
    bundle ??= globalThis.vegaEmbed ? Promise.resolve() : new Promise((resolve, reject) => {
      document.head.append(make("script", { src: new URL("charts.js", here), onload: resolve, onerror: reject }));
    });
    return bundle;
  };

  const tooltipOf = (values, escape) => {
    const defined = Object.entries(values).filter(([, value]) => !["undefined", "null", "NaN", ""].includes(value));
    return `<table>${defined.map(([name, value]) => `<tr><td class="key">${escape(name)}</td><td>${escape(value)}</td></tr>`).join("")}</table>`;
  };

  // So many links of a chart are stops of the Tab key; of more the table beside it has them.
  const MOST_STOPS = 40;

  // What scrolls sideways can be scrolled by keys.
  const letScroll = () => {
    for (const place of document.querySelectorAll(".chart, .scroll, pre, .arc")) {
      if (place.scrollWidth > place.clientWidth) place.tabIndex = 0;
      else place.removeAttribute("tabindex");
    }
  };

  // Rows of the panels that stand abreast in a chart; a facet's panels are one that is repeated.
  const abreast = (part) => {
    if (part.vconcat) return part.vconcat.flatMap(abreast);
    if (part.spec) return [Array(part.columns ?? 1).fill(part.spec)];
    const panels = part.hconcat ?? part.concat;
    if (!panels) return [[part]];
    const columns = part.columns ?? panels.length;
    return panels.map((_, n) => panels.slice(n, n + columns)).filter((_, n) => n % columns === 0);
  };
  const isWide = (panel) => typeof panel.width === "number" && panel.width !== panel.height;

  // Panels share what their row has free, or lacks. Where that leaves too little they stand below
  // each other, each with the labels that the first one has. What is placed by the pixel only grows.
  const widen = (chart, free) => {
    const rows = abreast(chart).map((row) => row.filter(isWide)).filter((row) => row.length);
    const widths = new Map(rows.flatMap((row) => row.map((panel) => [panel, panel.width + free / row.length])));
    const least = chart.usermeta?.least ?? 160;
    const isNarrow = [...widths].some(([panel, width]) => width < Math.min(least, panel.width));
    if (!isNarrow) { for (const [panel, width] of widths) panel.width = Math.floor(width); return widths.size > 0; }
    if (chart.spec && chart.columns > 1) { chart.columns = 1; return true; }
    const panels = chart.hconcat ?? (chart.columns > 1 ? chart.concat : null);
    if (!panels) return false;
    for (const { encoding } of panels) if (encoding?.y?.axis) encoding.y.axis.labels = true;
    chart.vconcat = panels;
    delete chart.hconcat;
    delete chart.concat;
    delete chart.columns;
    return true;
  };

  // Expressions are interpreted, so that the page may forbid what makes code of texts.
  const setUpChart = async (place) => {
    await drawing();
    const chart = JSON.parse(place.dataset.chart);
    const tooltip = { disableDefaultStyle: true, formatTooltip: tooltipOf };
    const draw = () => vegaEmbed(place, chart, { ast: true, actions: false, renderer: "svg", defaultStyle: false, tooltip });
    const wide = () => place.querySelector("svg").width.baseVal.value;
    let { view } = await draw();
    for (let times = 0; times < 3 && chart.width !== "container" && Math.abs(place.clientWidth - wide()) > 4; times++) {
      if (!widen(chart, place.clientWidth - wide())) break;
      view.finalize();
      ({ view } = await draw());
    }
    const svg = place.querySelector("svg");
    if (chart.width !== "container") svg.style.setProperty("--width", `${wide()}px`);
    const links = [...svg.querySelectorAll("a")];
    for (const link of links) {
      link.setAttribute("aria-label", link.querySelector("[aria-label]")?.ariaLabel ?? "");
      if (links.length > MOST_STOPS) link.setAttribute("tabindex", "-1");
    }
    // A drawing is one picture, or a group of links: its single marks have no names of their own.
    for (const mark of [place, ...svg.querySelectorAll("[role]")]) {
      for (const name of ["role", "aria-roledescription", "aria-label"]) mark.removeAttribute(name);
    }
    svg.setAttribute("role", links.length ? "group" : "img");
    // What a pointer was drawn over is no place that it went to.
    let start = null;
    place.addEventListener("pointerdown", (event) => { start = event; }, true);
    place.addEventListener("click", (event) => {
      if (start && Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) > 4) event.stopPropagation();
    }, true);
    svg.setAttribute("aria-label", place.parentElement.ariaLabel);
    letScroll();
    const form = place.closest(".card")?.querySelector("form[data-brushes]");
    if (form) setUpBrush(form, view);
  };

  // A link may point to something that is cut, folded or in another tab.
  const reveal = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    target.classList.remove("cut", "filtered");
    if (target.tagName === "DETAILS") target.open = true;
    const panel = target.closest(".panel");
    if (panel) panel.previousElementSibling.previousElementSibling.checked = true;
    target.scrollIntoView({ block: target.tagName === "TR" ? "center" : "start" });
  };

  // What stands on another page, or in another state of this one, as the server writes it.
  const brought = async (address) => {
    const answer = await fetch(address);
    return new DOMParser().parseFromString(await answer.text(), "text/html");
  };

  const bring = async (link) => {
    const place = link.parentElement;
    place.setAttribute("aria-busy", "true");
    try {
      const found = (await brought(link.href)).querySelectorAll(link.dataset.parts);
      for (const part of found) {
        const same = part.id && document.getElementById(part.id);
        if (same) same.replaceWith(part);
        else place.before(part);
        part.querySelectorAll("table.sortable").forEach(setUp);
        part.querySelectorAll("[data-chart]").forEach(setUpChart);
      }
    } finally {
      place.removeAttribute("aria-busy");
    }
  };

  // A box drawn over a chart is two ranges of the form beside it; both stay in the address.
  const setUpBrush = (form, view) => {
    const show = async () => {
      const address = `${form.action}?${new URLSearchParams(new FormData(form))}`;
      const page = await brought(address);
      const wanted = form.dataset.brushes;
      document.querySelector(wanted).replaceWith(page.querySelector(wanted));
      document.querySelectorAll(`${wanted} table.sortable`).forEach(setUp);
      document.querySelector(wanted).scrollIntoView({ block: "nearest" });
      history.replaceState(null, "", address);
    };
    const range = (ends) => ends ? ends.map((end) => end.toFixed(3)).join("..") : "";
    let drawn = null;
    view.addSignalListener("brush", (_, box) => { drawn = box; });
    addEventListener("pointerup", async () => {
      await view.runAsync();
      if (!drawn) return;
      form.elements.a.value = range(drawn.score);
      form.elements.b.value = range(drawn.base_score);
      drawn = null;
      show();
    });
  };

  const dark = () => {
    const chosen = document.documentElement.dataset.theme;
    return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  };
  const toggle = make("button", { type: "button", id: "theme" });
  const name = () => { toggle.textContent = dark() ? "Light" : "Dark"; };
  toggle.addEventListener("click", () => {
    document.documentElement.dataset.theme = dark() ? "light" : "dark";
    name();
  });

  // A page that is looked at asks now and then whether its data are still the newest.
  const { news, taken } = document.body.dataset;
  const isNewer = async () => {
    try {
      const answer = await fetch(news);
      return answer.ok && await answer.text() !== taken;
    } catch {
      return false; // The server has ended: the page stays as it is.
    }
  };
  const watch = async () => {
    if (document.hidden || !await isNewer()) { setTimeout(watch, 10000); return; }
    const bar = make("p", { className: "news", role: "status" });
    bar.append("Something was written since this page was made. ", make("a", { href: location.href, textContent: "Show it" }));
    bar.lastChild.addEventListener("click", (event) => { event.preventDefault(); location.reload(); });
    document.body.append(bar);
  };

  // Keys: each with what it does, and the link or field that it is about.
  const KEYS = [
    ["/", "search texts", () => document.querySelector("nav input[type=search]")],
    ["h", "the first page", () => document.querySelector("nav .places a")],
    ["c", "what changed since the run before", () => document.querySelector('.beside-links a[href*="/compare?"]')],
    ["j", "the next sentence", () => beside("sentence after")],
    ["k", "the sentence before", () => beside("sentence before")],
  ];
  const beside = (text) => [...document.querySelectorAll(".beside-links a")].find((link) => link.textContent.includes(text));
  const help = () => {
    const dialog = make("dialog", { className: "keys" });
    const list = make("dl");
    for (const [key, meaning] of [...KEYS, ["?", "this help"]]) list.append(make("dt", { textContent: key }), make("dd", { textContent: meaning }));
    const close = make("button", { type: "button", textContent: "Close" });
    close.addEventListener("click", () => dialog.close());
    dialog.setAttribute("aria-label", "Keys");
    dialog.append(list, close);
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  };
  const isTyping = (place) => place.closest("input, textarea, select, dialog");
  const press = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (event.key === "?") { event.preventDefault(); help(); return; }
    const place = KEYS.find(([key]) => key === event.key)?.[2]();
    if (!place) return;
    event.preventDefault();
    if (place.tagName === "A") place.click();
    else place.focus();
  };

  const start = /^#(light|dark)$/.exec(location.hash);
  if (start) document.documentElement.dataset.theme = start[1];
  document.querySelector("nav").append(toggle);
  name();
  document.querySelectorAll("table.sortable").forEach(setUp);
  document.querySelectorAll("[data-chart]").forEach(setUpChart);
  // One after the other: each takes a server some seconds.
  // What is folded is brought when somebody unfolds it.
  const folded = (link) => link.closest("details:not([open])");
  for (const link of document.querySelectorAll("details:not([open]) a[data-parts]")) {
    folded(link).addEventListener("toggle", () => bring(link), { once: true });
  }
  (async () => {
    for (const link of document.querySelectorAll("a[data-parts]")) if (!folded(link)) await bring(link);
  })();
  addEventListener("made", (event) => event.target.querySelectorAll("table.sortable").forEach(setUp));
  addEventListener("resize", letScroll);
  addEventListener("hashchange", reveal);
  if (document.body.classList.contains("explorer")) addEventListener("keydown", press);
  if (news) setTimeout(watch, 10000);
  letScroll();
  reveal();
})();
