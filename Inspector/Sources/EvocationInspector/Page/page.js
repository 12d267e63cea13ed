"use strict";

const byID = (id) => document.getElementById(id);
let socket = null;
let last = null;
let isRevealed = false;

/// Makes an element with a class and children; text is never read as markup.
function make(tag, className, ...children) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

const badge = (text, kind = "dim") => make("span", `badge ${kind}`, text);
const head = (title, ...badges) => make("div", "head", make("h4", "", title), make("span", "", ...badges));
const line = (text, kind = "") => make("p", kind, text);
const list = (texts, kind = "") => make("ul", kind, ...texts.map((text) => make("li", "", text)));

/// A button whose name says what it is about, for those who hear it out of its place.
function button(text, about, press, kind = "") {
  const element = make("button", kind, text);
  element.type = "button";
  element.setAttribute("aria-label", `${text}: ${about}`);
  element.addEventListener("click", press);
  return element;
}

function details(key, title, ...children) {
  const element = make("details", "", make("summary", "", title), ...children);
  element.dataset.part = key;
  return element;
}

/// Replaces the cards that have changed, so that open details, the focus and the scroll position stay.
function show(id, items, key, draw, nothing) {
  const parent = byID(id);
  const old = new Map([...parent.children].map((card) => [card.dataset.key, card]));
  const cards = items.map((item, index) => {
    const name = key(item, index);
    const text = JSON.stringify(item);
    const known = old.get(name);
    if (known && known.dataset.text === text) return known;
    const card = make("article", "card", ...draw(item));
    card.dataset.key = name;
    card.dataset.text = text;
    if (known) keep(known, card);
    return card;
  });
  if (cards.length === 0) cards.push(make("p", "nothing", nothing));
  const isSame = parent.children.length === cards.length
    && cards.every((card, index) => parent.children[index] === card);
  if (isSame) return;
  const focus = position(parent);
  parent.replaceChildren(...cards);
  if (focus) restore(parent, focus);
}

/// Opens in a new card what is open in the old one.
function keep(old, card) {
  for (const part of old.querySelectorAll("details[open]")) {
    const same = [...card.querySelectorAll("details")].find((each) => each.dataset.part === part.dataset.part);
    if (same) same.open = true;
  }
}

function position(parent) {
  const element = document.activeElement;
  const card = element && element.closest(".card");
  if (!card || !parent.contains(card)) return null;
  return { key: card.dataset.key, index: [...card.querySelectorAll("button, summary")].indexOf(element) };
}

function restore(parent, focus) {
  const card = [...parent.children].find((each) => each.dataset.key === focus.key);
  const element = card && card.querySelectorAll("button, summary")[focus.index];
  if (element) element.focus({ preventScroll: true });
  else parent.closest("section").focus({ preventScroll: true });
}

// What the parts say.

const many = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

const bytes = (count) =>
  count < 1024 ? `${count} bytes`
    : count < 1048576 ? `${(count / 1024).toFixed(1)} KiB` : `${(count / 1048576).toFixed(1)} MiB`;

function time(moment) {
  const date = new Date(moment);
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday ? date.toLocaleTimeString() : date.toLocaleString();
}

function age(moment) {
  const seconds = Math.max(0, (last.takenAt - moment) / 1000);
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return seconds < 129600 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86400)} days`;
}

function rule(action, rule) {
  const steps = [rule.target];
  if (rule.fallback) steps.push(`else ${rule.fallback}`);
  const sync = { true: "and syncs", mirror: "and mirrors", outbox: "and the outbox sends it" }[rule.synchronize];
  return `${action}: ${steps.join(", ")}${sync ? `, ${sync}` : ""}`;
}

function drawModel(model) {
  const rules = Object.entries(model.strategy.rules ?? model.strategy)
    .filter(([, each]) => each && each.target).map(([action, each]) => rule(action, each));
  return [
    head(model.name, model.count === undefined ? null : badge(`${model.count} stored`)),
    line(`${model.local ? model.local.type : "no local store"} ⇄ ${model.remote ? model.remote.type : "no server"}`, "dim"),
    model.isLive ? line("live: the server's changes arrive by themselves", "good") : null,
    model.hasStrategy ? null : line("No strategy was set, so .default() applies.", "warn"),
    model.problem ? line(model.problem, "bad") : null,
    model.writes ? line(`${many(model.writes, "write")} under way or waiting for a turn`, "warn") : null,
    model.warnings.length ? details("warnings", `${many(model.warnings.length, "note")} of the strategy`, list(model.warnings)) : null,
    rules.length ? details("rules", "Rules", list(rules)) : null,
    model.values ? details("values", "First models", make("pre", "", model.values.join("\n"))) : null,
  ];
}

function drawCache(cache) {
  const state = cache.freshness ?? (cache.observers === undefined ? "stored" : "never fetched");
  const kind = { fresh: "good", stale: "warn", expired: "bad" }[state] ?? "dim";
  const size = [
    cache.count === undefined ? null : many(cache.count, "element"),
    cache.pages === undefined ? null : `${many(cache.pages, "page")}${cache.areMorePages ? " and more" : ""}`,
    cache.observers === undefined ? "not in use" : many(cache.observers, "observer"),
  ].filter((part) => part !== null).join(", ");
  return [
    head(cache.name, badge(cache.isInvalidated ? `${state}, invalidated` : state, kind)),
    line(size, "dim"),
    cache.fetchedAt === undefined ? line("never fetched", "dim") : line(`fetched at ${time(cache.fetchedAt)}`, "dim"),
    cache.isRefreshing ? line("refreshing …", "good") : null,
    cache.error ? line(cache.error, "bad") : null,
    cache.tag ? details("tag", "Tag", make("pre", "", cache.tag)) : null,
    make("div", "buttons", button("Invalidate", cache.name, () => send("invalidate", cache.id))),
  ];
}

const drawFile = (file) => [
  head(file.path.split("/").pop(), badge(bytes(file.size))),
  line(`log ${bytes(file.logSize)}, free ${bytes(file.freeSize)}`, "dim"),
  line(`tables: ${file.tables.join(", ") || "none"}`),
  details("path", "Path", make("pre", "", file.path)),
];

function drawEntry(entry) {
  const kind = { parked: "bad", unreadable: "bad", waiting: "warn", sending: "good" }[entry.state] ?? "dim";
  const failed = entry.status ? `${entry.failure}, ${entry.status}` : entry.failure;
  const about = `${entry.kind} of ${entry.model}${entry.modelID ? ` ${entry.modelID}` : ""}`;
  return [
    head(about, badge(entry.state, kind)),
    line(`written at ${time(entry.queuedAt)}${entry.attempts ? `, ${many(entry.attempts, "failed attempt")}` : ""}`, "dim"),
    entry.priority === "utility" ? line("lets others pass", "dim") : null,
    entry.until ? line(`is sent again at ${time(entry.until)}`, "dim") : null,
    entry.reason ? line(entry.reason, kind) : entry.failure ? line(`${failed}; show values to read why`, kind) : null,
    entry.message ? line(`The service says: ${entry.message}`, kind) : null,
    ...Object.entries(entry.fields ?? {}).sort().map(([name, texts]) => line(`${name}: ${texts.join(" ")}`, kind)),
    entry.value ? details("value", "Value", make("pre", "", entry.value)) : null,
    make("div", "buttons",
      entry.state === "unreadable" ? null : button("Retry", about, () => send("retry", entry.id)),
      button("Discard", about, () => confirm(entry.id), "danger")),
  ];
}

function drawService(service) {
  const gate = service.gate;
  const isWell = service.isWell && !service.isRefusingCredential && (!gate || gate.circuit === "closed");
  return [
    head(service.name, badge(isWell ? "well" : "in trouble", isWell ? "good" : "bad")),
    line(`for ${service.models.join(", ")}`, "dim"),
    service.isRefusingCredential ? line("It refused the credential, so nothing is sent to it.", "bad") : null,
    service.restsUntil ? line(`The outbox sends again at ${time(service.restsUntil)}.`, "warn") : null,
    gate ? line(`${many(gate.running, "request")} under way, ${gate.waiting} waiting; circuit ${gate.circuit}`
      + (gate.failures ? `, ${many(gate.failures, "failure")} in a row` : "")
      + (gate.secondsToWait ? `, closed for ${Math.ceil(gate.secondsToWait)} s` : ""), "dim") : null,
  ];
}

function step(each) {
  const [name] = Object.keys(each.outcome);
  const detail = each.outcome[name];
  const took = each.duration ? ` in ${(each.duration * 1000).toFixed(each.duration < 0.01 ? 2 : 0)} ms` : "";
  if (name === "answered") return `${each.repository} ${each.role === "synchronization" ? "was synced with" : "returned"} ${detail.count}${took}`;
  if (name === "failed") return `${each.repository} failed${took}: ${detail.reason}`;
  return name === "skipped" ? `${each.repository} was skipped: ${detail.reason}` : `${each.repository} was canceled${took}`;
}

const drawCall = (call) => [
  head(`${call.trace.call} ${call.trace.model}${call.criteria ? ` ${call.criteria}` : ""}`,
    badge(call.error ? "failed" : call.isPending ? "pending" : call.origin ?? "done", call.error ? "bad" : "good")),
  line(`${time(call.endedAt)}, ${(call.seconds * 1000).toFixed(call.seconds < 0.01 ? 2 : 0)} ms`, "dim"),
  call.trace.steps.length ? list(call.trace.steps.map(step)) : null,
  call.error ? line(call.error, "bad") : null,
];

const drawQuery = (query) => [
  head(`${query.model} ${query.criteria ?? "all models"}`, badge(query.isScan ? "reads the whole table" : "well", query.isScan ? "warn" : "good")),
  list(query.plan),
  query.isScan ? line("An index on its keys would find them faster.", "dim") : null,
];

function render() {
  const outbox = last.outbox;
  const parked = outbox.parked ? `, ${outbox.parked} parked` : "";
  byID("status").textContent = `${last.isOnline ? "Online" : "Offline"} · ${outbox.pending} to be sent${parked}`
    + `${outbox.pause ? ` · ${outbox.pause}` : ""}`;
  const isPaused = outbox.pause === "paused by the app";
  byID("pause").textContent = isPaused ? "Resume sending" : "Pause sending";
  byID("count").textContent = String(outbox.pending + outbox.parked);
  byID("count").hidden = outbox.pending + outbox.parked === 0;
  const plain = last.models.map((model) => ({ ...model, calls: undefined, queries: undefined }));
  show("models", plain, (model, index) => `${index} ${model.name}`, drawModel, "No model type is registered.");
  show("caches", [...last.caches, ...last.lists], (cache) => cache.id, drawCache, "Nothing was fetched yet.");
  show("files", last.files, (file) => file.path, drawFile, "No model is in a file.");
  show("entries", outbox.entries, (entry) => entry.id, drawEntry, "Nothing is waiting.");
  show("services", last.services, (service) => service.name, drawService, "No server is registered.");
  const calls = last.models.flatMap((model) => model.calls).sort((one, two) => two.endedAt - one.endedAt);
  show("calls", calls.slice(0, 60), (call, index) => `${call.endedAt} ${call.trace.call} ${call.seconds} ${index < 0}`, drawCall, "No call since the inspector began.");
  const queries = last.models.flatMap((model) => model.queries.map((query) => ({ ...query, model: model.name })));
  show("queries", queries.filter((query) => query.plan.length), (query) => `${query.model} ${query.criteria}`, drawQuery, "No query of a file was made.");
}

function notice(text, isError) {
  byID("notice").textContent = text;
  byID("notice").className = isError ? "bad" : "";
}

function send(action, id) {
  if (socket && socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ action, id }));
  else notice("There is no connection to the app.", true);
}

function confirm(id) {
  const dialog = byID("confirm");
  const before = document.activeElement;
  dialog.returnValue = "";
  dialog.onclose = () => {
    if (dialog.returnValue === "discard") send("discard", id);
    if (before && before.isConnected) before.focus();
  };
  dialog.showModal();
  byID("keep").focus();
}

function connect() {
  const address = new URL("feed", location.href);
  address.protocol = "ws:";
  socket = new WebSocket(address);
  socket.onopen = () => {
    if (isRevealed) send("reveal");
  };
  socket.onmessage = (event) => {
    const message = JSON.parse(event.data);
    if (message.notice !== undefined) return notice(message.notice, message.isError);
    if (message.inspection.isRevealing !== isRevealed) return;
    last = message.inspection;
    render();
  };
  socket.onclose = () => {
    byID("status").textContent = "The app has ended, or the connection was lost. Trying again …";
    setTimeout(connect, 1000);
  };
}

byID("flush").addEventListener("click", () => send("flush"));
byID("validate").addEventListener("click", () => send("validate"));
byID("pause").addEventListener("click", () => send(last && last.outbox.pause === "paused by the app" ? "resume" : "pause"));
byID("reveal").addEventListener("click", () => {
  isRevealed = !isRevealed;
  byID("reveal").setAttribute("aria-pressed", String(isRevealed));
  byID("reveal").textContent = isRevealed ? "Hide values" : "Show values";
  send(isRevealed ? "reveal" : "hide");
});
connect();
