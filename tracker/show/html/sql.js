// The page on which a site answers SQL: DuckDB runs here, in a worker, on a copy of the campaign.
(() => {
  "use strict";
  const ROWS = 1000;
  const SETTINGS = [
    "ATTACH 'campaign.duckdb' AS campaign (READ_ONLY)",
    "USE campaign",
    "SET enable_external_access = false",
    "SET lock_configuration = true",
  ];
  const here = document.currentScript.src;
  const addressOf = (name) => new URL(`sql/${name}`, here).href;
  const make = (name, properties, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };
  const form = document.querySelector("form.choice");
  const field = form.elements.namedItem("query");
  const title = form.elements.namedItem("name");
  const cancel = make("button", { type: "button", textContent: "Cancel", hidden: true });
  form.append(cancel);
  const section = make("section", { id: "rows", hidden: true });
  section.setAttribute("aria-live", "polite");
  document.querySelector("main").prepend(section);

  const show = (heading, ...content) => {
    section.hidden = false;
    section.replaceChildren(make("h2", { textContent: heading }), ...content);
  };
  const message = (text) => make("pre", { className: "missing", textContent: text });

  const script = (name) => new Promise((resolve, reject) => {
    document.head.append(make("script", { src: addressOf(name), onload: resolve, onerror: () => reject(new Error(`${name} is not there`)) }));
  });

  // Packed files are unpacked here: a server needs to know nothing of them.
  const unpacked = async (name, type) => {
    const answer = await fetch(addressOf(name));
    if (!answer.ok) throw new Error(`${name}: ${answer.status} ${answer.statusText}`);
    const content = answer.body.pipeThrough(new DecompressionStream("gzip"));
    return new Response(content, { headers: { "Content-Type": type } }).blob();
  };

  let parts = null;
  const fetched = () => {
    parts ??= Promise.all([unpacked("duckdb.bin", "application/wasm"), unpacked("campaign.bin", ""), script("duckdb.js")]);
    parts.catch(() => { parts = null; });
    return parts;
  };

  let worker = null;
  let starting = null;
  const start = async () => {
    const [program, campaign] = await fetched();
    worker = new Worker(addressOf("worker.js"));
    const database = new duckdb.AsyncDuckDB(new duckdb.VoidLogger(), worker);
    const address = URL.createObjectURL(program);
    await database.instantiate(address);
    URL.revokeObjectURL(address);
    await database.registerFileBuffer("campaign.duckdb", new Uint8Array(await campaign.arrayBuffer()));
    const connection = await database.connect();
    for (const statement of SETTINGS) await connection.query(statement);
    return connection;
  };
  const stop = () => {
    worker?.terminate();
    worker = starting = null;
  };

  const decimal = (value, scale) => {
    let number = 0n;
    for (const word of [...value].reverse()) number = (number << 32n) | BigInt(word);
    number = BigInt.asIntN(value.length * 32, number);
    const digits = String(number < 0n ? -number : number).padStart(scale + 1, "0");
    const end = digits.length - scale;
    return (number < 0n ? "-" : "") + digits.slice(0, end) + (scale ? `.${digits.slice(end)}` : "");
  };
  const whole = (_, value) => typeof value !== "bigint" ? value : Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  const textOf = (value, type) => {
    if (value === null) return "–";
    if (Arrow.DataType.isDecimal(type)) return decimal(value, type.scale);
    if (Arrow.DataType.isDate(type)) return new Date(Number(value)).toISOString().slice(0, 10);
    if (Arrow.DataType.isTimestamp(type)) return new Date(Number(value)).toISOString().replace("T", " ").slice(0, 19);
    if (Arrow.DataType.isFloat(type) && Number.isFinite(value)) return value.toFixed(4);
    return typeof value === "object" ? JSON.stringify(value, whole) : String(value);
  };
  const isNumber = (type) => ["isInt", "isFloat", "isDecimal"].some((kind) => Arrow.DataType[kind](type));

  const tableOf = (fields, rows) => {
    const kinds = fields.map(({ type }) => isNumber(type) ? "number" : "text");
    const head = fields.map(({ name }, place) => make("th", { scope: "col", className: kinds[place], textContent: name }));
    const body = rows.map((row) => make("tr", {}, ...fields.map(({ type }, place) => {
      const value = row[place];
      const cell = make("td", { className: kinds[place], textContent: textOf(value, type) });
      if (kinds[place] === "text") cell.dir = "auto";
      else if (value !== null) {
        cell.dataset.sort = Arrow.DataType.isFloat(type) ? String(value) : cell.textContent;
        cell.title = cell.dataset.sort;
      }
      return cell;
    })));
    const table = make("table", { className: "sortable" }, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...body));
    return make("div", { className: "table" }, table);
  };

  const answer = async (text) => {
    starting ??= start();
    const connection = await starting;
    const reader = await connection.send(text, true);
    await reader.open();
    const { fields } = reader.schema; // it is gone once all is read
    const rows = [];
    let more = false;
    for await (const batch of reader) {
      const columns = fields.map((_, place) => batch.getChildAt(place));
      for (let row = 0; row < batch.numRows && !more; row += 1) {
        if (rows.length < ROWS) rows.push(columns.map((column) => column.get(row)));
        else more = true;
      }
      if (more) break;
    }
    if (more) await connection.cancelSent();
    return { fields, rows, more };
  };

  // What DuckDB says of a query, which it wraps in JSON where it could not read it.
  const reasonOf = (error) => {
    try { return JSON.parse(error.message).exception_message; } catch { return error.message; }
  };

  let run = 0;
  const ask = async () => {
    const text = field.value.trim();
    stopIfBusy();
    const mine = run += 1;
    if (!text) { section.hidden = true; return; }
    const state = new URLSearchParams({ query: text, ...(title.value.trim() && { name: title.value.trim() }) });
    history.replaceState(null, "", `#${state}`);
    cancel.hidden = false;
    show("Asking …", make("p", { className: "reading", textContent: parts ? "" : "DuckDB is fetched once, some 8 MB." }));
    try {
      const { fields, rows, more } = await answer(text);
      if (mine !== run) return;
      const count = `${rows.length.toLocaleString("en")} ${rows.length === 1 ? "row" : "rows"}`;
      show(more ? `${count} (the first ${ROWS.toLocaleString("en")})` : count, tableOf(fields, rows));
      section.dispatchEvent(new Event("made", { bubbles: true }));
    } catch (error) {
      if (mine !== run) return;
      if (!worker) starting = null;
      const hint = location.protocol === "file:" ? "SQL needs a web server, such as: python -m http.server" : reasonOf(error);
      show("No answer", message(hint));
    }
    cancel.hidden = true;
  };
  const stopIfBusy = () => { if (!cancel.hidden) stop(); };

  cancel.addEventListener("click", () => {
    stop();
    run += 1;
    cancel.hidden = true;
    show("No answer", message("the query was cancelled"));
  });
  form.addEventListener("submit", (event) => { event.preventDefault(); ask(); });
  const read = () => {
    const state = new URLSearchParams(location.hash.slice(1));
    if (!state.has("query")) return;
    field.value = state.get("query");
    title.value = state.get("name") ?? "";
    ask();
  };
  addEventListener("hashchange", read);
  read();
})();
