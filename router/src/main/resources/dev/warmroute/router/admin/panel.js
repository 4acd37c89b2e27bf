
"use strict";
(() => {
  const POLL_MS = 1000;
  const TOKENS_EVERY = 5; // polls
  const DECISIONS = 25;
  const MINUTE_US = 60e6;
  /** The chart spans the least of these that holds everything since the start, an hour at most; with the minutes between marks. */
  const SPANS = [[5, 1], [15, 5], [30, 5], [60, 10]];
  const SVG = "http://www.w3.org/2000/svg";
  const MISSING = "–";

  // ---- small helpers -------------------------------------------------------------------------------------------------

  const byId = (id) => document.getElementById(id);

  /** An element with attributes (data-x, class, ...) and children; text is never read as HTML. */
  function el(name, attributes = {}, ...children) {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (key === "on") Object.entries(value).forEach(([event, f]) => node.addEventListener(event, f));
      else if (value === true) node.setAttribute(key, "");
      else if (value !== false && value !== null && value !== undefined) node.setAttribute(key, value);
    }
    node.append(...children.filter((c) => c !== null && c !== undefined));
    return node;
  }

  function svg(name, attributes, text) {
    const node = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    if (text !== undefined) node.textContent = text;
    return node;
  }

  const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
  const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
  const known = (value) => value !== null && value !== undefined;
  const percent = (part) => `${Math.round(part * 100)} %`;
  const clock = (us, seconds) =>
    new Date(us / 1000).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", ...(seconds && { second: "2-digit" }) });

  function seconds(value) {
    if (value < 0.001) return "< 1 ms";
    if (value < 1) return `${Math.round(value * 1000)} ms`;
    return value < 100 ? `${value.toFixed(value < 10 ? 1 : 0)} s` : `${Math.round(value / 60)} min`;
  }

  function duration(s) {
    const d = Math.floor(s / 86400), h = Math.floor(s / 3600) % 24, m = Math.floor(s / 60) % 60;
    if (d) return `${d} d ${h} h`;
    return h ? `${h} h ${m} min` : m ? `${m} min` : `${Math.floor(s)} s`;
  }

  const plural = (n, one, many) => `${whole.format(n)} ${n === 1 ? one : many}`;

  // ---- replicas ------------------------------------------------------------------------------------------------------

  const tone = {
    kv: (v) => (v >= 0.95 ? "bad" : v >= 0.85 ? "warn" : null),
    headroom: (v) => (v < 0 ? "bad" : v === 0 ? "warn" : null),
    age: (v) => (v > 15 ? "bad" : v > 5 ? "warn" : null),
  };

  /** What a column shows of a replica: text, and perhaps a bar and a tone; its name under its group, and where it stands alone. */
  const COLUMNS = [
    { group: "Router", label: "In flight", hint: "Requests sent there that have not ended", show: (r) => count(r.in_flight) },
    { group: "Router", label: "Sticky", hint: "Requests sent to their conversation's home", show: (r) => count(r.decisions.sticky) },
    { group: "Router", label: "Placed", hint: "New conversations given this home", show: (r) => count(r.decisions.placed) },
    { group: "Router", label: "Overflow", hint: "Requests taken over from a busy home", show: (r) => count(r.decisions.overflow) },
    { group: "Engine", label: "Running", hint: "Requests that the engine runs", show: (r) => count(r.running) },
    { group: "Engine", label: "Waiting", hint: "Requests that wait in the engine", show: (r) => count(r.waiting) },
    { group: "Engine", label: "KV in use", hint: "Part of the KV blocks held by running requests",
      show: (r) => known(r.kv_usage) && { text: percent(r.kv_usage), bar: r.kv_usage, tone: tone.kv(r.kv_usage) } },
    { group: "Engine", label: "Counters", hint: "Time since the engine's counters were read",
      show: (r) => known(r.counters_age_seconds) && { text: seconds(r.counters_age_seconds), tone: tone.age(r.counters_age_seconds) } },
    { group: "Prefix hits", label: "5 min", alone: "Hits, 5 min", hint: "Prompt tokens found in the prefix cache in the last 5 minutes",
      show: (r) => known(r.prefix_hits_5m) && { text: percent(r.prefix_hits_5m) } },
    { group: "Prefix hits", label: "All", alone: "Hits, all", hint: "Prompt tokens found in the prefix cache since the engine was started",
      show: (r) => known(r.prefix_hits_since_start) && { text: percent(r.prefix_hits_since_start) } },
    { group: "Conversations", label: "Live", hint: "Conversations at home there that spoke lately", show: (r) => count(r.live_sessions) },
    { group: "Conversations", label: "Resident", hint: "Their tokens, as far as the cache holds them; an estimate", show: resident },
    { group: "Conversations", label: "Headroom", hint: "Conversations that still fit; negative: there are too many",
      show: (r) => known(r.headroom_sessions) && { text: signed(r.headroom_sessions), tone: tone.headroom(r.headroom_sessions) } },
    { group: "Prompt tokens/s", label: "Cached", alone: "Cached/s", hint: "Found in the cache, over the last minute", show: (r) => rate(r.cached_tokens_per_second) },
    { group: "Prompt tokens/s", label: "Computed", alone: "Computed/s", hint: "Computed, over the last minute", show: (r) => rate(r.computed_tokens_per_second) },
    { group: "TTFT", label: "p95", alone: "TTFT p95", hint: "Time to the first byte that 95 % were within in the last 5 minutes",
      show: (r) => known(r.ttft_p95_seconds) && { text: seconds(r.ttft_p95_seconds) } },
  ];

  const count = (value) => known(value) && { text: whole.format(value) };
  const rate = (value) => known(value) && { text: value < 1000 ? whole.format(value) : compact.format(value), exact: whole.format(value) };
  const signed = (value) => (value < 0 ? `−${whole.format(-value)}` : whole.format(value));

  function resident(r) {
    if (!known(r.resident_tokens)) return false;
    const share = r.capacity_tokens ? r.working_set_tokens / r.capacity_tokens : 0;
    return {
      text: compact.format(r.resident_tokens) + (r.capacity_tokens ? ` / ${compact.format(r.capacity_tokens)}` : ""),
      exact: `working set ${whole.format(r.working_set_tokens)} tokens of ${known(r.capacity_tokens) ? whole.format(r.capacity_tokens) : "an unknown number"}`,
      bar: share,
      tone: share > 1 ? "bad" : share > 0.9 ? "warn" : null,
    };
  }

  const startsGroup = (i) => i === 0 || COLUMNS[i - 1].group !== COLUMNS[i].group;

  function replicaHead() {
    const groups = el("tr", { class: "groups" }, el("td"));
    COLUMNS.forEach((c, i) => {
      if (startsGroup(i)) {
        groups.append(el("th", { scope: "colgroup", colspan: COLUMNS.filter((o) => o.group === c.group).length }, c.group));
      }
    });
    groups.append(el("td"));
    const columns = el("tr", { class: "columns" }, el("th", { scope: "col" }, "Replica"));
    COLUMNS.forEach((c, i) => columns.append(el("th", { scope: "col", title: c.hint, class: `n${startsGroup(i) ? " starts" : ""}` }, c.label)));
    columns.append(el("th", { scope: "col" }, el("span", { class: "hidden" }, "Manage")));
    return [groups, columns];
  }

  function cell(column, i, replica) {
    const shown = column.show(replica);
    const td = el("td", { class: `n${startsGroup(i) ? " starts" : ""}`, "data-label": column.alone ?? column.label });
    if (!shown) {
      td.append(el("span", { class: "missing", title: "not known" }, MISSING, el("span", { class: "hidden" }, " not known")));
      return td;
    }
    if (shown.exact) td.title = shown.exact;
    td.append(shown.tone ? el("span", { class: "tone", "data-tone": shown.tone }, shown.text) : shown.text);
    if (shown.bar !== undefined) {
      const fill = el("i");
      fill.style.width = `${Math.min(100, shown.bar * 100)}%`;
      td.append(el("span", { class: "bar", "data-tone": shown.tone, "aria-hidden": "true" }, fill));
    }
    return td;
  }

  function replicaState(r) {
    if (r.draining) return ["warn", "draining"];
    return r.eligible ? ["good", "up"] : ["bad", r.reason.replaceAll("_", " ")];
  }

  function replicaRow(model, r) {
    const [mood, word] = replicaState(r);
    const version = r.engine_version ? ` · vLLM ${r.engine_version}` : "";
    const warming = r.warmup.state === "warming" ? ` · warming ${r.warmup.done} of ${r.warmup.prompts}` : "";
    const row = el("tr", { "data-replica": r.id },
      el("th", { scope: "row" },
        el("span", { class: "who", "data-tone": mood, title: r.url }, el("span", { class: "dot" }), r.id),
        el("span", { class: "muted" }, word + version + warming)));
    COLUMNS.forEach((column, i) => row.append(cell(column, i, r)));
    row.append(el("td", {}, el("button", { type: "button", class: "plain", "data-manage": r.id, on: { click: () => manage(model, r.id) } },
      "Manage", el("span", { class: "hidden" }, ` ${r.id}`))));
    return row;
  }

  // ---- models --------------------------------------------------------------------------------------------------------

  const sections = new Map();
  let status = null;

  function section(name) {
    if (!sections.has(name)) {
      const root = byId("model-template").content.firstElementChild.cloneNode(true);
      root.dataset.model = name;
      root.querySelector(".model-name").textContent = name;
      root.querySelector(".replicas thead").append(...replicaHead());
      root.querySelector(".change-model").addEventListener("click", () => changeModel(name));
      root.querySelector(".add-replica").addEventListener("click", () => addReplica(name));
      byId("models").append(root);
      sections.set(name, { root, chart: chart(root) });
    }
    return sections.get(name);
  }

  /** Replaces what a node holds, and gives the focus back to what had it there. */
  function refill(node, children, key) {
    const focused = node.contains(document.activeElement) ? document.activeElement.getAttribute(key) : null;
    node.replaceChildren(...children);
    if (focused !== null) node.querySelector(`[${key}="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }

  function policyText(model) {
    const threshold = model.policy.config.overflow_threshold;
    const parts = [model.policy.name];
    if (threshold !== undefined) parts.push(`overflows at ${threshold} in flight`);
    parts.push(`affinity ${model.affinity ? "on" : "off"}`);
    if (model.held > 0) parts.push(`${model.held} held until a place is free`);
    if (model.changed) parts.push(`changed by ${model.changed.by} at ${clock(model.changed.at_us)}, not in router.yaml`);
    return parts.join(" · ");
  }

  function showModel(model) {
    const { root } = section(model.name);
    root.querySelector(".model-policy").textContent = policyText(model);
    refill(root.querySelector(".replicas tbody"), model.replicas.map((r) => replicaRow(model.name, r)), "data-manage");
  }

  // ---- totals --------------------------------------------------------------------------------------------------------

  function tile(label, value, note, mood) {
    return el("div", { "data-tone": mood }, el("dt", {}, label), el("dd", {}, value, note ? el("span", {}, note) : null));
  }

  function sum(replicas, value) {
    return replicas.reduce((total, r) => total + value(r), 0);
  }

  function kafkaTile(kafka) {
    if (!kafka) return null;
    const { lost, buffered, published } = kafka.events;
    const away = kafka.fault || (buffered > 0 && kafka.events.last_error);
    const homes = kafka.homes.restored ? "homes restored" : `homes not restored yet${kafka.homes.problem ? ": " + kafka.homes.problem : ""}`;
    const strangers = kafka.homes.other_salts.length ? `; another salt: ${kafka.homes.other_salts.join(", ")}` : "";
    const word = lost > 0 ? plural(lost, "event lost", "events lost") : away ? `${compact.format(buffered)} waiting` : compact.format(published);
    const mood = lost > 0 || kafka.fault ? "bad" : away || !kafka.homes.restored || strangers ? "warn" : null;
    return tile("Events in Kafka", word, homes + strangers, mood);
  }

  /** How it stands with the warm prompts; nothing for a router without. */
  function warmTile(warm, replicas) {
    if (warm.state === "off") return null;
    if (warm.problem) return tile("Warm prompts", "cold", warm.problem, "bad");
    const large = replicas.filter((r) => known(r.warmup.cache_share) && r.warmup.cache_share > warm.max_cache_share);
    const share = large.length ? `; they take ${percent(Math.max(...large.map((r) => r.warmup.cache_share)))} of the cache of ${large.map((r) => r.id).join(", ")}` : "";
    const on = `${warm.replicas_warm} of ${plural(warm.replicas, "replica", "replicas")} warm`;
    if (warm.state === "warming") return tile("Warm prompts", `${warm.done} of ${warm.of}`, `warming; ${on}${share}`, share ? "warn" : null);
    const mood = share || warm.state !== "warm" ? "warn" : null;
    return tile("Warm prompts", warm.state.replaceAll("_", " "), `${plural(warm.prompts, "prompt", "prompts")}, ${on}${share}`, mood);
  }

  function showTotals(s) {
    const t = s.totals;
    const replicas = s.models.flatMap((m) => m.replicas);
    const sticky = sum(replicas, (r) => r.decisions.sticky);
    const left = sum(replicas, (r) => r.decisions.overflow + r.decisions.moved + r.decisions.failover);
    const cached = sum(replicas, (r) => r.cached_tokens_per_second);
    const computed = sum(replicas, (r) => r.computed_tokens_per_second);
    const failed = t.replica_failed + t.refused;
    byId("tiles").replaceChildren(...[
      tile("In flight", whole.format(t.in_flight), plural(t.connections, "connection", "connections")),
      tile("Finished", whole.format(t.finished), `${plural(t.retries, "retry", "retries")}, ${whole.format(t.client_gone)} left by clients`),
      tile("Failed", whole.format(failed), `${whole.format(t.replica_failed)} by replicas, ${whole.format(t.refused)} refused`, failed > 0 ? "warn" : null),
      tile("At home", sticky + left ? percent(sticky / (sticky + left)) : MISSING, "of later requests of conversations"),
      tile("From cache", cached + computed > 0 ? percent(cached / (cached + computed)) : MISSING, "of prompt tokens in the last minute"),
      warmTile(s.warm_prompts, replicas),
      kafkaTile(s.kafka),
    ].filter(Boolean));
  }

  function showState(s) {
    const replicas = s.models.flatMap((m) => m.replicas);
    const out = replicas.filter((r) => !r.eligible);
    const dead = s.models.filter((m) => !m.ready);
    let mood = "good", text = replicas.length === 1 ? "The replica is up" : `All ${replicas.length} replicas are up`;
    if (dead.length) {
      mood = "bad";
      text = `No replica for ${dead.map((m) => m.name).join(", ")}`;
    } else if (out.length) {
      mood = "warn";
      text = `${out.length} of ${replicas.length} replicas out: ${out.map((r) => r.id).join(", ")}`;
    }
    say(mood, text);
    byId("instance").textContent = s.instance;
    byId("uptime").textContent = `version ${s.version} · up ${duration(s.uptime_seconds)}`;
    document.title = `${mood === "good" ? "" : "⚠ "}${s.instance} · warmroute`;
  }

  /** Announced only when it changes. */
  function say(mood, text) {
    byId("state").dataset.tone = mood;
    if (byId("state-text").textContent !== text) byId("state-text").textContent = text;
  }

  // ---- the chart -----------------------------------------------------------------------------------------------------

  /** The next number above that has whole quarters. */
  function niceCeiling(value) {
    if (value <= 0) return 10;
    const magnitude = 10 ** Math.floor(Math.log10(value));
    return [1, 2, 4, 8, 10].map((m) => m * magnitude).find((m) => m >= value);
  }

  /** Cached tokens below, computed ones on top of them; a step of ten seconds is a point. */
  function chart(root) {
    const box = root.querySelector(".chart");
    const reading = root.querySelector(".reading");
    let data = { steps: [], now: 0 };
    let at = -1;

    function span() {
      const minutes = data.steps.length ? (data.now - data.steps[0][0]) / MINUTE_US : 0;
      return SPANS.find(([length]) => minutes <= length) ?? SPANS[SPANS.length - 1];
    }

    function draw() {
      const width = box.clientWidth, height = box.clientHeight;
      if (!width || !height) return;
      const inset = { left: 46, right: 8, top: 8, bottom: 22 };
      const { steps, now } = data;
      const [minutes, marks] = span();
      const length = minutes * MINUTE_US;
      const from = now - length;
      const top = niceCeiling(Math.max(...steps.map((s) => s[1] + s[2]), 0));
      const x = (us) => inset.left + ((us - from) / length) * (width - inset.left - inset.right);
      const y = (v) => height - inset.bottom - (v / top) * (height - inset.top - inset.bottom);
      const node = svg("svg", { role: "img", "aria-label": summary(steps) });
      for (let i = 0; i <= 4; i++) {
        const v = (top / 4) * i;
        node.append(svg("line", { class: i ? "grid" : "axis", x1: inset.left, x2: width - inset.right, y1: y(v), y2: y(v) }));
        node.append(svg("text", { x: inset.left - 6, y: y(v) + 4, "text-anchor": "end" }, compact.format(v)));
      }
      const every = width < 500 ? 2 * marks : marks;
      const minute = new Date(now / 1000);
      minute.setSeconds(0, 0);
      minute.setMinutes(minute.getMinutes() - (minute.getMinutes() % every));
      for (let t = minute.getTime() * 1000; t > from; t -= every * MINUTE_US) {
        if (x(t) > inset.left + 18 && x(t) < width - 18) node.append(svg("text", { x: x(t), y: height - 5, "text-anchor": "middle" }, clock(t)));
      }
      if (steps.length) {
        const points = (value) => steps.map((s) => `${x(s[0]).toFixed(1)},${y(value(s)).toFixed(1)}`);
        const cached = points((s) => s[1]), total = points((s) => s[1] + s[2]);
        const first = x(steps[0][0]).toFixed(1), last = x(steps[steps.length - 1][0]).toFixed(1), floor = y(0).toFixed(1);
        node.append(svg("path", { class: "area-cached", d: `M${first},${floor}L${cached.join("L")}L${last},${floor}Z` }));
        node.append(svg("path", { class: "area-computed", d: `M${cached.join("L")}L${total.toReversed().join("L")}Z` }));
        node.append(svg("path", { class: "line-cached", d: `M${cached.join("L")}` }));
        node.append(svg("path", { class: "line-computed", d: `M${total.join("L")}` }));
        if (at >= 0 && at < steps.length) {
          const at_x = x(steps[at][0]);
          node.append(svg("line", { class: "cross", x1: at_x, x2: at_x, y1: inset.top, y2: height - inset.bottom }));
        }
      } else {
        node.append(svg("text", { x: width / 2, y: height / 2, "text-anchor": "middle" }, "The first figures come after ten seconds"));
      }
      box.replaceChildren(node);
      box.onpointermove = (event) => {
        const us = from + ((event.clientX - box.getBoundingClientRect().left - inset.left) / (width - inset.left - inset.right)) * length;
        point(nearest(us));
      };
    }

    function nearest(us) {
      let best = -1;
      data.steps.forEach((s, i) => {
        if (best < 0 || Math.abs(s[0] - us) < Math.abs(data.steps[best][0] - us)) best = i;
      });
      return best;
    }

    function point(i) {
      if (i === at) return;
      at = i;
      const s = data.steps[i];
      reading.textContent = s ? `${clock(s[0], true)}: ${whole.format(s[1])} from cache, ${whole.format(s[2])} computed per second` : "";
      draw();
    }

    box.onpointerleave = () => point(-1);
    box.onblur = () => point(-1);
    box.onkeydown = (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (step && data.steps.length) {
        event.preventDefault();
        point(Math.min(data.steps.length - 1, Math.max(0, (at < 0 ? data.steps.length : at) + step)));
      }
    };
    new ResizeObserver(draw).observe(box);
    return (steps, now) => {
      const shown = data.steps[at]?.[0];
      data = { steps, now };
      at = shown === undefined ? -1 : steps.findIndex((s) => s[0] === shown);
      draw();
      const [minutes] = span();
      root.querySelector(".chart-title").textContent = `Prompt tokens per second, last ${minutes === 60 ? "hour" : `${minutes} minutes`}`;
      legend(root, steps);
      flowTable(root, steps);
    };
  }

  function totals(steps) {
    return steps.reduce(([cached, computed], s) => [cached + s[1], computed + s[2]], [0, 0]);
  }

  function summary(steps) {
    const [cached, computed] = totals(steps);
    return cached + computed > 0
      ? `Prompt tokens per second over the last hour: ${percent(cached / (cached + computed))} came from the cache`
      : "No prompt tokens in the last hour";
  }

  function legend(root, steps) {
    const [cached, computed] = totals(steps);
    const all = cached + computed;
    const share = (part) => (all > 0 ? ` ${percent(part / all)}` : "");
    root.querySelector(".legend").replaceChildren(
      el("span", {}, el("i", { class: "swatch computed" }), `Computed${share(computed)}`),
      el("span", {}, el("i", { class: "swatch cached" }), `From cache${share(cached)}`));
  }

  function flowTable(root, steps) {
    const FIVE_MINUTES = 300e6;
    const rows = new Map();
    steps.forEach((s) => {
      const from = Math.floor(s[0] / FIVE_MINUTES) * FIVE_MINUTES;
      const [n, cached, computed] = rows.get(from) ?? [0, 0, 0];
      rows.set(from, [n + 1, cached + s[1], computed + s[2]]);
    });
    root.querySelector(".flow tbody").replaceChildren(...[...rows].reverse().map(([from, [n, cached, computed]]) => el("tr", {},
      el("th", { scope: "row" }, clock(from)),
      el("td", { class: "n" }, whole.format(cached / n)),
      el("td", { class: "n" }, whole.format(computed / n)),
      el("td", { class: "n" }, cached + computed > 0 ? percent(cached / (cached + computed)) : MISSING))));
  }

  // ---- decisions -----------------------------------------------------------------------------------------------------

  const KIND_TONE = { sticky: "good", overflow: "warn", moved: "warn", failover: "bad", unrouted: "bad", held: "warn" };
  let decisions = [];
  let opened = null;
  let paused = false;

  const keyOf = (d) => `${d.request_id}/${d.attempt}`;

  function number(value, digits = 0) {
    return known(value) ? value.toLocaleString("en", { maximumFractionDigits: digits }) : MISSING;
  }

  function candidateTable(d) {
    const head = ["Replica", "Score", "In flight", "Live", "Running", "Waiting", "KV in use", "Cached, guessed", "Not eligible because"];
    const numeric = (i) => i > 0 && i < head.length - 1;
    return el("table", {},
      el("caption", { class: "hidden" }, `Candidates of ${d.request_id}`),
      el("thead", {}, el("tr", {}, ...head.map((h, i) => el("th", { scope: "col", class: numeric(i) ? "n" : null }, h)))),
      el("tbody", {}, ...d.candidates.map((c) => el("tr", { class: c.replica === d.chosen ? "chosen" : null },
        el("th", { scope: "row" }, c.replica, c.replica === d.chosen ? el("span", { class: "hidden" }, " (chosen)") : null),
        ...[number(c.score, 2), number(c.in_flight), number(c.live_sessions), number(c.running), number(c.waiting),
          known(c.kv_usage) ? percent(c.kv_usage) : MISSING, number(c.predicted_cached_tokens)].map((v) => el("td", { class: "n" }, v)),
        el("td", {}, c.eligible ? MISSING : c.reason.replaceAll("_", " "))))));
  }

  function decisionRows(d) {
    const key = keyOf(d), open = key === opened;
    const row = el("tr", { "data-decision": key },
      el("td", {}, clock(d.decided_us, true)),
      el("td", {}, d.session ? el("code", { title: `from ${d.session_source}` }, d.session) : el("span", { class: "missing" }, "unknown")),
      el("td", {}, el("span", { class: "badge", "data-tone": KIND_TONE[d.kind] }, d.kind)),
      el("td", { class: "replica" }, d.chosen ?? MISSING),
      el("td", { class: "why" }, d.why),
      el("td", { class: "more" }, el("button", { type: "button", class: "plain", "aria-expanded": String(open), "data-more": key,
        on: { click: () => toggle(key) } }, open ? "Hide candidates" : "Candidates")));
    return open ? [row, el("tr", { class: "open" }, el("td", { colspan: 6 }, candidateTable(d)))] : [row];
  }

  function toggle(key) {
    opened = opened === key ? null : key;
    pause(opened !== null);
    showDecisions();
  }

  function pause(on) {
    paused = on;
    byId("pause").setAttribute("aria-pressed", String(on));
    byId("pause").textContent = on ? "Go on" : "Pause";
    byId("decisions-note").textContent = on ? "Paused while you read" : "Newest first";
  }

  function showDecisions() {
    refill(byId("decisions"), decisions.flatMap(decisionRows), "data-more");
    byId("no-decisions").hidden = decisions.length > 0;
  }

  byId("pause").addEventListener("click", () => {
    if (paused) opened = null;
    pause(!paused);
    showDecisions();
  });

  // ---- changes -------------------------------------------------------------------------------------------------------

  /** A form in the dialog. A button calls its action with the fields' values; what that resolves to is sent. */
  function ask({ title, lead, fields = [], buttons }) {
    byId("dialog-title").textContent = title;
    byId("dialog-lead").textContent = lead;
    byId("dialog-fields").replaceChildren(...fields);
    byId("dialog-error").hidden = true;
    byId("dialog-buttons").replaceChildren(
      ...buttons.map(({ label, className, call }, i) =>
        el("button", { type: i === 0 ? "submit" : "button", class: className, on: i === 0 ? {} : { click: () => send(call()) } }, label)),
      el("button", { type: "button", on: { click: () => byId("dialog").close() } }, "Cancel"));
    byId("dialog-form").onsubmit = (event) => {
      event.preventDefault();
      send(buttons[0].call());
    };
    byId("dialog").showModal();
  }

  async function send({ method, path, body }) {
    const error = byId("dialog-error");
    error.hidden = true;
    try {
      const answer = await fetch(path, {
        method,
        headers: { authorization: `Bearer ${byId("token").value}`, ...(body && { "content-type": "application/json" }) },
        body: body && JSON.stringify(body),
      });
      if (answer.ok) {
        byId("dialog").close();
        poll();
        return;
      }
      const { message, problems } = (await answer.json()).error;
      error.replaceChildren(problems.length > 1
        ? el("ul", {}, ...problems.map((p) => el("li", {}, p.field ? `${p.field}: ${p.expected}` : p.expected)))
        : message);
    } catch {
      error.textContent = "The router did not answer.";
    }
    error.hidden = false;
  }

  const value = (id) => byId(id).value.trim();
  const field = (label, hint, input) => el("label", {}, label, input, hint ? el("span", { class: "hint" }, hint) : null);
  const modelOf = (name) => status.models.find((m) => m.name === name);
  let policies = [];

  function changeModel(name) {
    const model = modelOf(name);
    const present = model.configured.policy;
    const threshold = model.configured.parameters.overflow_threshold ?? "";
    const summaries = Object.fromEntries(policies.map((p) => [p.name, p.summary]));
    const about = el("span", { class: "hint" }, summaries[present] ?? "");
    const choice = el("select", { id: "policy", on: { change: () => { about.textContent = summaries[choice.value]; } } },
      ...policies.map((p) => el("option", { value: p.name, selected: p.name === present }, p.name)));
    ask({
      title: `Change routing of ${name}`,
      lead: "In force from the next request on, until the router is started again; router.yaml stays as it is. Recorded as policy.changed.",
      fields: [
        el("label", {}, "Policy", choice, about),
        field("Overflow threshold", "Requests in flight at which a home is too busy; empty or auto: derived from max_num_seqs. Only for policies that overflow.",
          el("input", { id: "threshold", value: threshold, inputmode: "numeric", autocomplete: "off" })),
        el("label", { class: "row" }, el("input", { id: "affinity", type: "checkbox", checked: model.affinity }), "Keep conversations together (affinity)"),
      ],
      buttons: [{
        label: "Change", className: "primary", call: () => {
          const body = { affinity: byId("affinity").checked, in_force: model.in_force };
          const parameters = choice.value === present ? { ...model.configured.parameters } : {};
          delete parameters.overflow_threshold;
          if (value("threshold")) parameters.overflow_threshold = value("threshold");
          body.policy = { name: choice.value, ...parameters };
          return { method: "PATCH", path: `models/${encodeURIComponent(name)}`, body };
        },
      }],
    });
  }

  function addReplica(name) {
    ask({
      title: `Add a replica of ${name}`,
      lead: "It is chosen once it has passed a health check.",
      fields: [
        field("Name", "", el("input", { id: "replica-id", required: true, autocomplete: "off" })),
        field("URL", "Base URL of its vLLM server, such as http://10.0.0.7:8000", el("input", { id: "replica-url", required: true, autocomplete: "off" })),
        field("Data-parallel rank", "Only for a server with several ranks behind one URL.", el("input", { id: "replica-rank", inputmode: "numeric", autocomplete: "off" })),
      ],
      buttons: [{
        label: "Add", className: "primary", call: () => ({
          method: "POST", path: `models/${encodeURIComponent(name)}/replicas`,
          body: { id: value("replica-id"), url: value("replica-url"), ...(value("replica-rank") && { data_parallel_rank: value("replica-rank") }) },
        }),
      }],
    });
  }

  function manage(name, id) {
    const r = modelOf(name).replicas.find((each) => each.id === id);
    const path = `replicas/${encodeURIComponent(id)}`;
    const remove = { label: "Remove", className: "danger", call: () => ({ method: "DELETE", path }) };
    if (r.draining) {
      ask({
        title: `Replica ${id}`, lead: `${plural(r.in_flight, "request", "requests")} in flight. It is being drained: no new conversation is placed there.`,
        buttons: [{ label: "Serve again", className: "primary", call: () => ({ method: "POST", path: `${path}/undrain` }) }, remove],
      });
    } else {
      ask({
        title: `Replica ${id}`, lead: `${plural(r.in_flight, "request", "requests")} in flight, ${plural(r.live_sessions, "live conversation", "live conversations")} at home there.`,
        fields: [field("Conversations may stay for", "Such as 3m. After that, or at once with 0, their next request moves them.", el("input", { id: "stay", value: "0", autocomplete: "off" }))],
        buttons: [{ label: "Drain", className: "primary", call: () => ({ method: "POST", path: `${path}/drain`, body: { stay: value("stay") } }) }, remove],
      });
    }
  }

  // ---- keeping up ----------------------------------------------------------------------------------------------------

  let polls = 0;
  let lastAnswer = null;

  async function get(path) {
    const answer = await fetch(path, { cache: "no-store", signal: AbortSignal.timeout(4000) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return answer.json();
  }

  async function poll() {
    try {
      const [s, d] = await Promise.all([get("status"), get(`decisions?limit=${DECISIONS}`)]);
      status = s;
      lastAnswer = Date.now();
      document.body.classList.remove("stale");
      showState(s);
      showTotals(s);
      s.models.forEach(showModel);
      if (!paused) {
        decisions = d.decisions;
        showDecisions();
      }
      if (polls++ % TOKENS_EVERY === 0) {
        const flow = await get("tokens");
        flow.models.forEach((m) => sections.get(m.name)?.chart(m.steps, flow.now_us));
      }
    } catch {
      document.body.classList.add("stale");
      say("bad", lastAnswer ? `No answer since ${clock(lastAnswer * 1000, true)}` : "The router does not answer");
    }
  }

  async function keepUp() {
    if (!document.hidden) await poll();
    setTimeout(keepUp, POLL_MS);
  }

  pause(false);
  get("policies").then((answer) => { policies = answer.policies; }).catch(() => {});
  keepUp();
})();
