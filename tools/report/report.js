/* SPDX-License-Identifier: MIT */
/* A worker of a recording: computes some of its waves to compare them with the
 * recording; the first of them also all that the page asks for. */
const serveWaves = (Hamon, port) => {
    const KEPT = 128e6; /* bytes of generations kept to start from */
    const PART = 30; /* ms of work between answers */
    let given, run, pass, walk, shown, every, request, probe, first, idle = true;
    const probes = [], keys = [], wrong = [];
    const next = new MessageChannel();

    const begin = data => {
        given = data.run;
        run = Hamon.widen(given);
        first = data.first;
        pass = new Hamon.Sim(run, data.numbers);
        const cells = run.grid.reduce((a, b) => a * b);
        const bytes = 2 * run.checked.length * cells * pass.waves[0].now.BYTES_PER_ELEMENT;
        every = Math.max(8, Math.ceil(run.last * bytes / KEPT));
        walk = Hamon.verify(pass, wrong);
        shown = first && fresh();
    };
    const fresh = () => Object.assign(new Hamon.Sim(run), { media: pass.media });
    /* Generations of some of the waves, to start from once all are there. */
    const keep = ({ step, waves }) => {
        const known = keys.findLast(one => one.step === step);
        known ? known.waves.push(...waves) : keys.push({ step, waves });
        keys.sort((a, b) => a.step - b.step);
    };
    /* Exactly there, or at the last one kept before it. */
    const goTo = (step, near) => {
        const key = keys.findLast(one => one.step <= step && one.waves.length === run.checked.length);
        if (shown.step > step)
            shown = fresh();
        if (key && key.step > shown.step)
            shown.load(key);
        while (!near && shown.step < step)
            shown.advance();
        return shown;
    };
    const answer = ({ view, layer, step, near, every }) => {
        const { region: [low, high], axes: [, , along] } = run;
        const sim = goTo(step, near), values = Hamon.plane(sim, view, layer);
        const layers = every ? Array.from({ length: high[along] - low[along] + 1 },
                                          (_, k) => Hamon.fieldOf(sim, view, low[along] + k)) : null;
        port.postMessage({ values, step: sim.step, view, layer, layers }, [values.buffer]);
    };
    const check = () => {
        const end = performance.now() + PART, sums = [];
        let over = false;
        while (!over && performance.now() < end) {
            const { value, done } = walk.next();
            sums.push(...value || []);
            over = done;
            if (over || pass.step % every)
                continue;
            const key = pass.save();
            if (first)
                keep(key);
            else
                port.postMessage({ key }, key.waves.flatMap(([, arrays]) => arrays.map(of => of.buffer)));
        }
        walk = over ? null : walk;
        const own = [...run.arrival].filter(([number]) => pass.waves.some(wave => wave.number === number));
        port.postMessage({ sums, step: pass.step, over, wrong, arrival: over ? own : null });
    };
    /* A cell's series of each wave; or of the wave shown that of each cell of a
     * line. */
    const follow = () => {
        const end = performance.now() + PART, { sim, cell, line, view, series } = probe;
        const widened = i => Hamon.indexAt(run.move(Hamon.cellAt(i, given.grid)), run.grid);
        const at = line ? line.map(widened) : widened(cell);
        for (;; sim.advance()) {
            const { now } = Hamon.amplitudes(sim, view.wave);
            series.forEach((of, i) => { of[sim.step] = line ? now[at[i]] : sim.waves[i].now[at]; });
            if (sim.step >= run.last || performance.now() > end)
                break;
        }
        if (sim.step < run.last) {
            sim.advance();
            return;
        }
        port.postMessage({ series, cell, line });
        probe = probes.shift();
    };
    const turn = () => {
        const asked = request;
        request = null;
        if (asked)
            answer(asked);
        else if (walk)
            check();
        else if (probe)
            follow();
        idle = !request && !walk && !probe;
        if (!idle)
            next.port2.postMessage(0);
    };
    next.port1.onmessage = turn;
    port.onmessage = ({ data }) => {
        if (data.run)
            begin(data);
        if (data.key)
            keep(data.key);
        if ("step" in data)
            request = data;
        if ("cell" in data) {
            probes.push({ ...data, sim: fresh(), series: Array.from(data.line || run.checked, () => new Float64Array(run.last + 1)) });
            probe ||= probes.shift();
        }
        if (idle)
            next.port2.postMessage(0);
        idle = false;
    };
};

const startPage = () => {
    /* Words in the page's language; %s, or %1$s, are values. */
    const WORDS = JSON.parse(document.getElementById("words")?.textContent ?? "{}");
    const _ = (words, ...values) => {
        let next = 0;
        return (WORDS[words] ?? words).replace(/%(?:(\d)\$)?s/g, (_all, place) => values[place ? place - 1 : next++]);
    };
    const NAMES = {
        Wave: _("Wave"), Gradient: _("Gradient"), Flux: _("Flux"), Arrival: _("Arrival"), Error: _("Error"),
        Cause: _("Cause"), Heading: _("Heading"), Truth: _("Truth"), Map: _("Map"), sum: _("sum"), agents: _("agents"), trails: _("trails"),
        headings: _("headings"), oblique: _("oblique"), areas: _("areas"), fronts: _("fronts"), amplitude: _("amplitude"),
        gradient: _("gradient"), flux: _("flux"), arrival: _("arrival"), error: _("error"), cause: _("cause"),
        heading: _("heading"), truth: _("true heading"),
        target: _("target"),
    };
    /* "Wave, z = 2": its first part. */
    const named = name => name.replace(/^[A-Za-z]+/, word => NAMES[word] ?? word);
    const SVG = "http://www.w3.org/2000/svg";
    const STILL = ["arrival", "heading", "truth", "error", "cause"]; /* fields that have no step */
    const ANGLES = ["heading", "truth"], DEGREES = [...ANGLES, "error"];
    const SLANT = .5, SLICES = 9; /* of the oblique projection: across and down; at most */
    const ONE_ONLY = 0x71b10e; /* a cell that only one recording has, green */
    const PAUSE = 250; /* ms between reports of a proof, which take the workers' time */
    const FRAME = 20; /* ms in which the browser paints */
    const PICTURES = 12; /* a second, at least; a film lasts at most 20 seconds */

    const element = (name, attributes, parent) => {
        const made = document.createElementNS(SVG, name);
        for (const [key, value] of Object.entries(attributes))
            made.setAttribute(key, value);
        if (parent)
            parent.append(made);
        return made;
    };
    const html = (name, words, properties = {}) => {
        const made = Object.assign(document.createElement(name), properties);
        made.append(words);
        return made;
    };
    /* An agent's shape and its trail's strokes, as in the heatmaps. */
    const CORNERS = {
        square: [[-.886, -.886], [.886, -.886], [.886, .886], [-.886, .886]],
        triangle: [[0, -1.555], [1.347, .778], [-1.347, .778]],
    };
    const STROKES = { disc: "none", square: "6 6", triangle: "0.1 5" };
    const outline = (shape, radius, fill, parent) => {
        const corners = CORNERS[shape];
        if (!corners)
            return element("circle", { r: radius, fill }, parent);
        const points = corners.map(at => at.map(part => radius * part));
        return element("polygon", { points: points.join(" "), fill }, parent);
    };
    const save = (name, blob) => {
        const link = html("a", "", { href: URL.createObjectURL(blob), download: name });
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    };
    const brief = value => {
        const text = Math.abs(value) < 1e-3 || Math.abs(value) >= 1e5 ?
            value.toExponential(3).replace(/\.?0+e\+?/, "e") : String(+value.toPrecision(4));
        return (value === 0 ? "0" : text).replace(/-/g, "−");
    };

    const missing = ({ field }) => field === "arrival" ? _("not reached yet") : _("none");
    /* Up to half a digit. */
    const roundUp = value => {
        const ten = 10 ** Math.floor(Math.log10(value));
        return Math.ceil(2 * value / ten - 1e-9) / 2 * ten;
    };
    const largest = values => values.reduce((most, value) => Math.max(most, Math.abs(value) || 0), 1e-30);

    /* ---- scales: the position of a value, 0 … 1, and ticks ---- */
    const niceTicks = (low, high, count) => {
        const rough = (high - low) / count, ten = 10 ** Math.floor(Math.log10(rough));
        const each = ten * [5, 2, 1].find(n => n * ten <= rough * (1 + 1e-9)), ticks = [];
        for (let k = Math.ceil(low / each - 1e-9); k * each <= high + 1e-9 * each; k++)
            ticks.push(k * each);
        return ticks;
    };
    const signedLog = (value, width) => Math.abs(value) <= width ? value / width :
        Math.sign(value) * (1 + Math.log(Math.abs(value) / width));
    const scaleOf = (low, high, width) => {
        const to = value => width > 0 ? signedLog(value, width) : value;
        const first = to(low), whole = to(high) - first;
        const place = value => (to(value > high ? high : value < low ? low : value) - first) / whole;
        if (!(width > 0))
            return { place, ticks: niceTicks(low, high, 4) };
        const ticks = [low, high], top = Math.floor(Math.log10(Math.max(-low, high)) - .2);
        for (let power = top; 10 ** power > 2 * width; power -= 2)
            ticks.push(10 ** power, -(10 ** power));
        return { place, ticks: [0, ...ticks].filter(v => v >= low && v <= high) };
    };
    /* The rank of a value's size among all, with its sign. */
    const ranksOf = (values, signed) => {
        const sizes = values.map(Math.abs).filter(size => size > 0).sort();
        const rank = value => {
            let low = 0, high = sizes.length;
            while (low < high) {
                const middle = low + high >> 1;
                if (sizes[middle] < Math.abs(value))
                    low = middle + 1;
                else
                    high = middle;
            }
            return sizes.length ? low / sizes.length : 0;
        };
        const place = value => signed ? .5 + Math.sign(value) * rank(value) / 2 : rank(value);
        const ticks = [0, .5, .9, .99].map(part => sizes[Math.floor(part * sizes.length)] || 0);
        return { place, ticks: signed ? [...ticks.slice(1).map(v => -v), ...ticks.slice(1)] : ticks };
    };

    /* ---- charts, whose lines stretch and whose letters do not ---- */
    const COLORS = 7, WAVE_COLORS = [6, 5, 3, 4, 2, 1, 0], MOST = 12;
    /* lines: { name, points: [[step, y, low, high]], stairs, marked, color } */
    const drawChart = (host, { title, caption, lines, low = 0, high, unit = "", last, go }) => {
        const figure = html("figure", "", { className: "chart" });
        const words = html("figcaption", html("b", title));
        words.append(" " + caption + (lines.length > MOST ?
            " " + _("The first %s of %s.", MOST, lines.length) : ""));
        const plot = html("div", "", { className: "plot" });
        const svg = element("svg", { class: "lines", role: "img", "aria-label": title }, plot);
        const y = value => 1000 * (1 - (value - low) / (high - low)), x = at => 1000 * at / (last || 1);
        for (const value of niceTicks(low, high, 4)) {
            const at = y(value) / 10 + "%";
            element("line", { class: value === low ? "axis" : "grid", x2: "100%", y1: at, y2: at }, svg);
            element("text", { x: -8, y: at, dy: ".35em", "text-anchor": "end" }, svg)
                .textContent = brief(value) + unit;
        }
        const inner = element("svg", { width: "100%", height: "100%", viewBox: "0 0 1000 1000",
                                       preserveAspectRatio: "none" }, svg);
        const legend = html("ul", "", { className: "legend" });
        const path = (points, column, stairs) => points.map((point, i) => {
            const [px, py] = [x(point[0]).toFixed(1), y(point[column]).toFixed(1)];
            return i === 0 ? `M${px} ${py}` : stairs ? `H${px}V${py}` : `L${px} ${py}`;
        }).join("");
        lines.slice(0, MOST).forEach((line, i) => {
            const { points, stairs } = line, color = line.color ?? i;
            const kind = `c${color % COLORS}${i >= COLORS ? " dashed" : ""}`;
            if (points.length && points.every(point => Number.isFinite(point[2] ?? NaN))) {
                const back = [];
                [...points].reverse().forEach((point, k, all) => {
                    back.push(`L${x(point[0])} ${y(point[3])}`);
                    if (k + 1 < all.length)
                        back.push(`L${x(point[0])} ${y(all[k + 1][3])}`);
                });
                element("path", { class: `band c${color % COLORS}`,
                                  d: path(points, 2, stairs) + back.join("") + "Z" }, inner);
            }
            element("path", { class: kind, d: path(points, 1, stairs) }, inner);
            if (line.marked && points.length)
                element("circle", { class: "mark " + kind, r: 4.5, cx: x(points.at(-1)[0]) / 10 + "%",
                                    cy: y(points.at(-1)[1]) / 10 + "%" }, svg);
            const item = html("li", ""), sign = element("svg", { viewBox: "0 0 10 10",
                                                                 "aria-hidden": "true" });
            for (const from of i < COLORS ? [0] : [0, 6])
                element("rect", { class: kind, x: from, y: 3.5, height: 3,
                                  width: i < COLORS ? 10 : 4 }, sign);
            item.append(sign, line.name);
            legend.append(item);
        });
        const cursor = element("line", { class: "cursor", y2: "100%" }, svg);
        const below = element("svg", { class: "below", "aria-hidden": "true" }, plot);
        for (const value of niceTicks(0, last || 1, 5))
            element("text", { x: x(value) / 10 + "%", y: "1.35em", "text-anchor": "middle" }, below)
                .textContent = brief(value);
        svg.addEventListener("click", event => {
            const box = svg.getBoundingClientRect();
            go(Math.round(last * (event.clientX - box.left) / box.width));
        });
        figure.append(words, plot, legend);
        host.append(figure);
        return step => {
            for (const end of ["x1", "x2"])
                cursor.setAttribute(end, x(Math.min(step, last)) / 10 + "%");
        };
    };
    const captured = (host, groups, last, go) => {
        const lines = groups.filter(group => group.stairs.length).map((group, i) => ({
            name: group.name, stairs: true, color: WAVE_COLORS[i % COLORS],
            points: group.stairs.map(([step, ...shares]) =>
                [step, ...shares.map(share => share === null ? NaN : 100 * share)]) }));
        const bands = lines.filter(line => Number.isFinite(line.points[0][2])).length;
        const caption = [
            _("share of agents by step."),
            bands ? _("Bands are 95 % intervals (Wilson), which take the agents of a chase as independent.") : "",
            bands < lines.length ? _("Fewer than 10 have no interval.") : "",
            groups.some(group => group.team) ?
                _("A chase that ends at its first capture counts as one agent.") : ""].filter(Boolean).join(" ");
        return lines.length ? [drawChart(host, { title: _("Captured,"), caption, lines, high: 100,
                                                 unit: "\u00a0%", last, go })] : [];
    };

    /* Choices, as radio buttons for screen readers too. */
    const choose = (fieldset, name, choices, chosen, pick) => {
        fieldset.hidden = choices.length < 2;
        choices.forEach(choice => {
            const input = html("input", "", { type: "radio", name, checked: choice === chosen });
            input.addEventListener("change", () => pick(choice));
            const label = html("label", input);
            label.append(html("span", named(choice)));
            fieldset.append(label);
        });
    };

    const inflate = async text => {
        const bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
        const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
        return new Uint8Array(await new Response(stream).arrayBuffer());
    };

    /* A picture of cells with its colours below: its part that is seen is the
     * same in all of a page. */
    class Screen {
        constructor(root, player) {
            Object.assign(this, { root, player, k: 1, left: 0, top: 0 });
            this.find = name => root.querySelector(name);
        }

        makeStage(size, pixels = size) {
            const [nx, ny] = size;
            Object.assign(this, { size, pixels, stage: this.find(".stage"), canvas: this.find("canvas") });
            [this.canvas.width, this.canvas.height] = pixels;
            this.canvas.style.aspectRatio = nx + "/" + ny;
            this.stage.style.setProperty("--ratio", (nx / ny).toFixed(4));
            this.over = this.find(".over");
            this.over.setAttribute("preserveAspectRatio", "none");
            this.context = this.canvas.getContext("2d");
            this.zoomTo(1, .5, .5);
        }

        /* `k` times as large, with this point of the map in the middle. */
        zoomTo(k, x, y) {
            this.k = Math.min(64, Math.max(1, k));
            const room = 1 / this.k, [nx, ny] = this.size;
            this.left = Math.min(1 - room, Math.max(0, x - room / 2));
            this.top = Math.min(1 - room, Math.max(0, y - room / 2));
            this.canvas.style.transform = `translate(${-100 * this.k * this.left}%, ` +
                `${-100 * this.k * this.top}%) scale(${this.k})`;
            this.over.setAttribute("viewBox", [this.left * nx, this.top * ny, nx * room,
                                               ny * room].join(" "));
        }

        /* The cell of the picture at a point of the window. */
        cellAt(event) {
            const box = this.stage.getBoundingClientRect();
            const part = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
            return [this.left, this.top].map((first, i) => Math.min(this.size[i] - 1, Math.max(
                0, Math.floor((first + part[i] / this.k) * this.size[i]))));
        }

        /* A pixel for each value, 0xbbggrr. */
        paintCells(values, color) {
            const image = new ImageData(...this.pixels), to = new Uint32Array(image.data.buffer);
            values.forEach((value, i) => { to[i] = color(value, i) | 0xff << 24; });
            this.context.putImageData(image, 0, 0);
        }

        holds(u, v) {
            return u >= 0 && v >= 0 && u < this.size[0] && v < this.size[1];
        }

        /* The colours with their values, what they mean, and the other colours
         * with theirs. */
        describe(scale, palette, means, kinds, bare = false) {
            const ramp = this.find(".ramp"), row = new ImageData(256, 1);
            ramp.hidden = bare;
            new Uint32Array(row.data.buffer).set(palette.subarray(0, 256).map(c => c | 0xff << 24));
            ramp.getContext("2d").putImageData(row, 0, 0);
            const used = [], apart = Math.max(.09, 46 / (ramp.clientWidth || 512));
            const labels = bare ? [] : scale.ticks.map(value => [value, scale.place(value)])
                .filter(([, at]) => used.every(other => Math.abs(other - at) > apart) && used.push(at));
            this.find(".ticks").replaceChildren(...labels.map(([value, at]) => {
                const label = html("span", brief(value));
                label.style.left = 100 * at + "%";
                return label;
            }));
            const words = this.find(".means");
            words.textContent = means;
            for (const [name, color] of kinds) {
                const swatch = html("i", "", { className: "swatch" }), kind = html("span", swatch);
                swatch.style.background = `rgb(${color & 255} ${color >> 8 & 255} ${color >> 16 & 255})`;
                kind.append(name);
                words.append(" ", kind);
            }
            this.canvas.setAttribute("aria-label",
                                     (this.caption ? this.caption.textContent + ": " : "") + means);
        }
    }

    /* One recording's picture. */
    class Viewer extends Screen {
        constructor(root, player) {
            super(root, player);
            Object.assign(this, { step: 0, frame: 0, pictures: new Map(), asked: {} });
            this.data = number => JSON.parse(document.getElementById("data-" + number).textContent);
            this.run = this.data(root.dataset.run);
            this.home = root.closest(".run") || document.getElementById("run-" + root.dataset.run);
            this.caption = this.find("figcaption a");
        }

        async load() {
            const { run } = this;
            const names = run.palettes, Hamon = this.Hamon = makeHamon();
            if (!run.why)
                this.startWorkers();
            Hamon.unpack(run, await inflate(run.packed),
                         await inflate(run.map ?? this.data(run.mapOf + 1).map));
            this.cellOf = k => Hamon.placeOf(run, k);
            this.numberOf = cell => Hamon.numberOf(run, cell);
            this.home.querySelectorAll("details").forEach((part, i) => {
                part.hidden = !run.texts[i];
                part.querySelector("pre").textContent = run.texts[i];
            });
            this.palettes = Object.fromEntries(names.map((name, i) => [name, run.palettes[i]]));
            this.palettes.truth = this.palettes.heading;
            this.live = !run.why;
            this.layer = run.layer;
            const [low, high] = run.region, [right, down] = run.axes;
            const cells = [high[right] - low[right] + 1, high[down] - low[down] + 1];
            const pixels = cells.map(n => this.live ? n : Math.ceil(n / run.block));
            this.corner = [low[right], low[down]];
            this.makeStage(this.live ? cells : pixels.map(n => n * run.block), pixels);
            new ResizeObserver(() => this.place()).observe(this.canvas);
            this.views = this.live ? this.liveViews() : run.views;
            this.view = this.views.find(view => view.name === run.views[run.opening].name);
            this.makePile();
            this.makeAgents();
            this.others = this.live && Hamon.hasOther(run) ? ["early", run.wave.denormals] : [];
        }

        /* Step 0, before a worker answers. */
        drawFirst() {
            const { Hamon, run } = this;
            if (this.live)
                this.draws(Hamon.plane(new Hamon.Sim(Hamon.widen(run)), this.view, this.layer), 0);
        }

        /* Each worker has its part of the waves. */
        startProof() {
            const { Hamon, run, workers } = this;
            if (!this.live)
                return;
            this.proof = { sums: new Hamon.Proof(run), parts: workers.map(() => ({ step: 0, wrong: [] })) };
            workers.forEach((worker, w) => worker.postMessage(
                { run, first: w === 0, numbers: run.checked.filter((_, i) => i % workers.length === w) }));
        }

        /* If a generation differs, all are computed again as on the other kind of
         * processor; if one differs then too, by the first rule. */
        startAgain(denormals) {
            this.end();
            this.run.wave.denormals = denormals;
            this.startWorkers();
            this.startProof();
            Object.values(this.asked).forEach(message => this.worker.postMessage(message));
            this.waiting = false;
            this.paint();
        }

        end() {
            this.workers?.forEach(worker => worker.terminate());
        }

        /* One a processor, at most four, which share the waves. */
        startWorkers() {
            const { checked } = this.run, many = Math.min(checked.length, navigator.hardwareConcurrency || 1, 4);
            const text = `"use strict";(${serveWaves})((${makeHamon})(),self)`;
            const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
            this.workers = Array.from({ length: many }, (_, w) => {
                const worker = new Worker(address);
                worker.onmessage = async ({ data }) => {
                    await this.player.ready;
                    if (worker === this.workers[w])
                        this.take(data, w);
                };
                return worker;
            });
            [this.worker] = this.workers;
        }

        liveViews() {
            const { views, checked, fronts } = this.run, waves = checked.map(String);
            const of = (field, wave) => views.find(view => view.field === field &&
                                                           String(view.wave) === wave);
            const made = [];
            for (const wave of [...waves, ...waves.length > 1 ? ["sum"] : []])
                for (const [field, name] of [["amplitude", "Wave"], ["gradient", "Gradient"],
                                             ["flux", "Flux"], ["arrival", "Arrival"],
                                             ["heading", "Heading"], ["truth", "Truth"],
                                             ["error", "Error"], ["cause", "Cause"]]) {
                    const known = of(field === "truth" ? "heading" : field,
                                     wave === "sum" && STILL.indexOf(field) < 0 ? waves[0] : wave);
                    const means = wave === "sum" ? _("%s of the sum of all waves", NAMES[field]) :
                        field === "flux" ? _("flux (zᵏ − zᵏ⁻¹)∇z of wave %s, its length", wave) :
                            field === "heading" ? _("heading of the first front of wave %s, degrees", wave) :
                                field === "truth" ? _("true heading to the source of wave %s, degrees", wave) : known?.means;
                    if (known && (fronts.has(field) || !STILL.includes(field) || field === "arrival") || field === "flux")
                        made.push({ ...known, name, field, wave, means });
                }
            return made;
        }

        zoomTo(k, x, y) {
            super.zoomTo(k, x, y);
            if (this.tracks)
                this.place();
        }

        makeAgents() {
            const { run } = this, axes = [run.axes[0], run.axes[1]], trails = this.find(".trails");
            this.areas = element("path", { class: "areas" });
            this.pin = element("path", { class: "pin" });
            this.fronts = element("path", { class: "fronts" });
            this.line = element("path", { class: "pin" });
            this.over.prepend(this.areas, this.fronts);
            this.over.append(this.line);
            this.over.append(this.pin);
            this.tracks = run.agents.map(agent => {
                const at = Array.from(run.placeSteps, (_, i) => axes.map(
                    (axis, k) => agent.track[axis][i] / 1000 - this.corner[k] + .5));
                const track = { agent, at, words: [], lines: [] };
                track.along = i => run.dims > 2 ? agent.track[run.axes[2]][i] / 1000 : 0;
                track.heading = i => axes.map(axis => agent.track[run.dims + axis][i] / 1000);
                for (const kind of ["case", "line"])
                    track.lines.push(element("path", kind === "case" ? { class: kind } : {
                        class: kind, stroke: agent.color,
                        "stroke-dasharray": STROKES[agent.shape] }, trails));
                track.sign = element("g", {}, this.find(".agents"));
                track.arrow = element("path", { class: "arrow" }, track.sign);
                this.draw(track.sign, agent);
                element("title", {}, track.sign).textContent = agent.name;
                if (run.agents.length <= 24)
                    this.list(track);
                return track;
            });
        }

        draw(sign, agent) {
            if (agent.target) {
                for (const [r, fill] of [[8, "#000"], [6.5, "#fff"], [3.5, "#000"], [1.8, "#fff"]])
                    element("circle", { r, fill }, sign);
            } else {
                outline(agent.shape, 7, "#000", sign);
                outline(agent.shape, 5.5, agent.color, sign);
            }
        }

        list(track) {
            const item = html("li", "");
            const sign = element("svg", { viewBox: "-11 -11 22 20", "aria-hidden": "true" });
            this.draw(sign, track.agent);
            track.state = html("small", "");
            item.append(sign, (track.agent.target ? NAMES.target : track.agent.name) + " ", track.state);
            this.find(".legend").append(item);
        }

        drawCharts() {
            const { run } = this, go = step => this.player.go(step), { last } = run;
            const host = this.home.querySelector(".charts");
            this.seriesHost = html("div", "", { className: "series" });
            this.lineHost = html("div", "", { className: "series" });
            host.append(this.seriesHost, this.lineHost);
            this.charts = captured(host, run.groups.slice(1), last, go);
            const target = this.tracks.find(track => track.agent.target);
            const far = (track, i) => Math.hypot(...run.grid.slice(0, run.dims).map((_, axis) =>
                (track.agent.track[axis][i] - target.agent.track[axis][i]) / 1000));
            const lines = this.tracks.filter(track => target && track !== target).map(track => {
                const { name, captured: end } = track.agent, points = [];
                run.placeSteps.forEach((step, i) => {
                    if (end < 0 || step <= end)
                        points.push([step, far(track, i)]);
                });
                return { name, points, marked: end >= 0 };
            });
            if (lines.length && run.places > 1)
                this.charts.push(drawChart(host, {
                    title: _("Distance to the target,"), lines, last, go,
                    caption: run.dims > 2 ?
                        _("in cells, in a straight line with its height, by step; a dot is a capture.") :
                        _("in cells, in a straight line, by step; a dot is a capture."),
                    high: 1.05 * Math.max(1, ...lines.flatMap(l => l.points.map(p => p[1]))) }));
            this.host = host;
        }

        drawReached() {
            const { run, host } = this, go = step => this.player.go(step), { last } = run;
            const reached = [...run.arrival].map(([wave, steps], i) => {
                const walls = run.walls[0], count = new Float64Array(last + 1), points = [];
                let free = 0, sum = 0;
                steps.forEach((step, k) => {
                    free += !walls || !walls[this.cellOf(k)];
                    if (step >= 0 && step <= last)
                        count[step]++;
                });
                for (let step = 0; step <= last; step++) {
                    sum += count[step];
                    if (count[step] || step === last)
                        points.push([step, 100 * sum / free]);
                }
                return { name: _("wave %s", wave), points, color: WAVE_COLORS[i % COLORS] };
            });
            if (reached.length)
                this.charts.push(drawChart(host, {
                    title: _("Reached by the wave,"), lines: reached, high: 100, unit: "\u00a0%", last, go,
                    caption: _("share of free cells that the wave has reached, by step.") }));
        }

        /* The cell at a place of the picture, of its layer. */
        mapCell(u, v, layer = this.layer) {
            const { grid: [nx, ny], axes: [right, down, along], region: [low] } = this.run;
            const stride = [1, nx, nx * ny];
            return (u + this.corner[0]) * stride[right] + (v + this.corner[1]) * stride[down] +
                (layer < 0 ? low[along] : layer) * stride[along];
        }

        /* From cell to cell of the picture. */
        strides() {
            const first = this.mapCell(0, 0);
            return { first, right: this.mapCell(1, 0) - first, down: this.mapCell(0, 1) - first };
        }

        version() {
            return this.run.versions.findLastIndex((first, v) => v === 0 || first <= this.step);
        }

        /* That step, or the last picture that is not after it. */
        show(step) {
            const { frames, last } = this.run;
            this.frame = Math.max(0, frames.findLastIndex(frame => frame <= step));
            this.step = this.live ? Math.min(step, last) : frames[this.frame];
            this.root.dataset.step = this.step;
            this.find(".ended").textContent = step > last ? _("Ended at step %s.", last) + " " :
                this.step < step ? _("Picture of step %s.", this.step) + " " : "";
            for (const move of [...this.charts, this.moveProbe || (() => {})])
                move(this.step);
            this.paint();
            this.place();
        }

        /* ---- what is seen ---- */

        /* The view of this name and wave, or what is nearest to it. */
        look(name, wave) {
            const kind = name.split(",")[0];
            const alike = this.views.filter(view => view.name === name);
            const kin = alike.length ? alike :
                this.views.filter(view => view.name.split(",")[0] === kind);
            this.view = kin.find(one => String(one.wave) === wave) || kin[0] || this.views[0];
            this.paint();
            this.place();
        }

        explain(scale) {
            const { view } = this, palette = this.palettes[view.field] || this.palettes.gradient;
            const deep = this.live && this.run.dims > 2;
            const means = view.means + (!deep ? "" : this.layer < 0 ? "; " + _("of all layers the value farthest from 0") :
                `, ${"xyz"[this.run.axes[2]]} = ${this.layer}`);
            const kinds = (view.kinds || []).map((kind, k) => [kind, palette[Math.round(255 * scale.place(k))]]);
            this.describe(scale, palette, means, [...kinds, [_("wall"), palette[256]], ...STILL.includes(view.field) ?
                [[missing(view), palette[257]]] : []],
                          view.field === "walls" || kinds.length > 0);
        }

        paint() {
            const { view } = this;
            if (!this.live) {
                this.paintPicture();
            } else if (!this.waiting) {
                this.waiting = true;
                this.worker.postMessage({ view, layer: this.layer, every: this.player.over.oblique, step: this.step,
                                          near: this.player.following });
            } else {
                this.again = true;
            }
        }

        /* A picture that is still being decoded is drawn when that is done, if
         * no other was chosen since. */
        paintPicture() {
            const { frames } = this.view, text = frames[Math.min(this.frame, frames.length - 1)];
            let picture = this.pictures.get(text);
            if (!picture) {
                picture = new Image();
                picture.src = "data:image/png;base64," + text;
                this.pictures.set(text, picture);
            }
            this.chosen = picture;
            const draw = () => {
                if (this.chosen !== picture)
                    return;
                this.context.clearRect(0, 0, this.canvas.width, this.canvas.height);
                this.context.drawImage(picture, 0, 0);
                this.root.dataset.painted = this.run.frames[this.frame];
            };
            if (picture.complete)
                draw();
            else
                picture.decode().then(draw);
            this.explain(scaleOf(this.view.low, this.view.high, this.view.width));
        }

        /* Colours of values at a step. */
        draws(values, step, layers) {
            const scale = this.scaleOf(values);
            this.fill(values, scale);
            this.drawPile(layers, scale);
            this.values = values;
            this.root.dataset.painted = step;
            this.explain(scale);
            this.player.point();
            this.player.difference?.draw();
        }

        scaleOf(values) {
            const { view, player: { range, factor } } = this, signed = view.field === "amplitude";
            if (ANGLES.includes(view.field))
                return { ...scaleOf(-180, 180, 0), ticks: [-180, -90, 0, 90, 180] };
            if (STILL.includes(view.field))
                return scaleOf(view.low, view.high, 0);
            if (range === "quantile")
                return ranksOf(values, signed);
            const high = factor * ((range === "linear" && view.typical || view.high) ?? largest(values));
            return scaleOf(signed ? -high : 0, high, range === "log" ? 1e-4 * high : 0);
        }

        /* The walls of a layer, now; in a picture of all layers (−1) there are none. */
        wallsOf(layer = this.layer) {
            const [nx, ny] = this.size, walls = this.run.walls[this.version()];
            if (walls !== this.walledBy)
                this.walled = [];
            this.walledBy = walls;
            return this.walled[layer + 1] ||= Uint8Array.from({ length: nx * ny }, (_, i) =>
                layer < 0 ? 0 : walls[this.mapCell(i % nx, i / nx | 0, layer)]);
        }

        isWall(u, v, layer) {
            return this.wallsOf(layer)[v * this.size[0] + u] === 1;
        }

        fill(values, scale) {
            const palette = this.palettes[this.view.field] || this.palettes.gradient, walls = this.wallsOf();
            this.paintCells(values, (value, i) => palette[
                walls[i] ? 256 : Number.isNaN(value) ? 257 : Math.round(255 * scale.place(value))]);
        }

        /* Layers as slices in oblique projection, evenly spaced and with that of
         * the picture, the first one lowest; the smaller a value, the clearer its
         * cell. */
        drawPile(all, scale) {
            this.pile.hidden = !all;
            if (!all)
                return;
            const { pile, size: [nx, ny], view, run: { region: [low], axes } } = this, pen = pile.getContext("2d");
            const palette = this.palettes[view.field] || this.palettes.gradient, apart = Math.ceil(all.length / SLICES);
            const shown = Math.max(0, this.layer - low[axes[2]]);
            const layers = this.slices = all.map((values, k) => ({ values, layer: low[axes[2]] + k })).filter(
                (_slice, k) => (k - shown) % apart === 0);
            const gap = SLANT * ny * Math.min(1.1, 3 / layers.length);
            const each = Math.max(1, Math.round(1000 / (nx + SLANT * ny)));
            pile.width = each * (nx + SLANT * ny);
            pile.height = each * (SLANT * ny + gap * (layers.length - 1));
            pen.imageSmoothingEnabled = false;
            this.sliceAt = at => [each, 0, -each * SLANT, each * SLANT, each * SLANT * ny,
                                  each * gap * (layers.length - 1 - at)];
            layers.forEach(({ values, layer }, at) => {
                const slice = html("canvas", "", { width: nx, height: ny }), image = new ImageData(nx, ny);
                const to = new Uint32Array(image.data.buffer);
                const walls = this.wallsOf(layer);
                values.forEach((value, i) => {
                    const place = scale.place(value), wall = walls[i];
                    const clear = STILL.includes(view.field) ? 200 : view.field === "amplitude" ? Math.abs(place - .5) * 2 * 255 : place * 255;
                    to[i] = wall ? palette[256] | 110 << 24 : Number.isNaN(value) ? 0 :
                        palette[Math.round(255 * place)] | Math.max(24, clear) << 24;
                });
                slice.getContext("2d").putImageData(image, 0, 0);
                pen.setTransform(...this.sliceAt(at));
                pen.drawImage(slice, 0, 0);
                pen.strokeStyle = layer === this.layer ? "#d0021b" : "#888a";
                pen.lineWidth = (layer === this.layer ? 4 : 2) / each;
                pen.strokeRect(0, 0, nx, ny);
            });
        }

        /* The layer and cell of the uppermost slice at a point of the window. */
        sliceCell(event) {
            const box = this.pile.getBoundingClientRect(), count = this.slices?.length ?? 0;
            const x = (event.clientX - box.left) / box.width * this.pile.width;
            const y = (event.clientY - box.top) / box.height * this.pile.height;
            for (let at = count - 1; at >= 0; at--) {
                const [each, , lean, flat, dx, dy] = this.sliceAt(at), v = (y - dy) / flat;
                const cell = [(x - dx - lean * v) / each, v].map(Math.floor);
                if (this.holds(...cell))
                    return { cell, ...this.slices[at] };
            }
            return null;
        }

        makePile() {
            this.pile = html("canvas", "", { className: "pile", hidden: true });
            this.pile.setAttribute("role", "img");
            this.pile.setAttribute("aria-label", _("All layers, in oblique projection"));
            this.stage.after(this.pile);
            this.pile.addEventListener("pointermove", event => {
                const on = this.sliceCell(event);
                this.find(".under").textContent = on ? this.say(...on.cell, on.layer, on.values) : "";
            });
            this.pile.addEventListener("click", event => {
                const on = this.sliceCell(event), choice = this.player.find(".layer");
                choice.value = on ? on.layer : choice.value;
                choice.dispatchEvent(new Event("change"));
            });
        }

        /* What there is to say of a cell of the picture, or of another layer. */
        say(u, v, layer = this.layer, values = this.values) {
            const { run, view } = this, { axes } = run, cell = [0, 0, 0], wall = this.isWall(u, v, layer);
            const value = values?.[v * this.size[0] + u];
            if (value === undefined)
                return "";
            cell[axes[0]] = u + this.corner[0];
            cell[axes[1]] = v + this.corner[1];
            cell[axes[2]] = Math.max(layer, run.region[0][axes[2]]);
            const number = this.numberOf(cell), kinds = this.views.find(({ field }) => field === "cause")?.kinds;
            const said = (field, of) => `${NAMES[field]} ` + (field === "cause" ? kinds[of] :
                DEGREES.includes(field) ? brief(of) + "°" : String(of).replace("-", "−"));
            const more = wall || layer < 0 ? [] : [...run.fronts].filter(
                ([field, of]) => field !== view.field && !Number.isNaN(of[number])).map(
                ([field, of]) => "; " + said(field, of[number]));
            return axes.slice(0, layer === this.layer ? 2 : 3).map(axis => `${"xyz"[axis]} ${cell[axis]}`).join(", ") + ": " +
                (wall ? _("wall") : Number.isNaN(value) ? missing(view) : said(view.field, value)) + more.join("");
        }

        take(data, w) {
            const { run, proof } = this, { parts } = proof;
            if (data.key)
                this.worker.postMessage(data, data.key.waves.flatMap(([, arrays]) => arrays.map(of => of.buffer)));
            if (data.values) {
                this.waiting = false;
                if (data.view.name === this.view.name && data.view.wave === this.view.wave)
                    this.draws(data.values, data.step, data.layers);
                if (this.again) {
                    this.again = false;
                    this.paint();
                }
            }
            if (data.sums) {
                data.sums.forEach(sum => proof.sums.take(sum));
                if (proof.sums.first && this.others.length)
                    return this.startAgain(this.others.shift());
                parts[w] = data;
                proof.step = Math.min(...parts.map(part => part.step));
                proof.over = parts.every(part => part.over);
                proof.wrong = parts.flatMap(part => part.wrong);
            }
            data.arrival?.forEach(([wave, steps]) => run.arrival.set(wave, steps));
            if (data.arrival && proof.over) {
                this.drawReached();
                this.show(this.step);
            }
            if (data.sums)
                this.player.prove();
            if (data.line)
                this.drawLine(data.series);
            else if (data.series && data.cell === this.pinned)
                this.drawProbe(data.series);
        }

        /* ---- a cell whose amplitudes are drawn by step ---- */

        probe(cell) {
            const { grid: [nx, ny], axes, region: [low] } = this.run;
            const at = [cell[0], cell[1], cell[2] ?? low[2]];
            this.pinned = at[0] + nx * (at[1] + ny * at[2]);
            this.pinAt = axes.slice(0, 2).map((axis, k) => at[axis] - this.corner[k] + .5);
            this.place();
            if (this.live)
                this.ask("probe", { cell: this.pinned, view: this.view });
        }

        /* Of the first worker; again if it is replaced. */
        ask(what, message) {
            this.asked[what] = message;
            this.worker.postMessage(message);
        }

        /* ---- a line of cells, whose amplitudes are a picture by step ---- */

        follow(ends) {
            const [from, to] = ends.map(at => at.map((c, k) => c - this.corner[k]));
            const many = Math.max(Math.abs(to[0] - from[0]), Math.abs(to[1] - from[1])) || 1;
            const cells = Array.from({ length: many + 1 }, (_, i) => from.map(
                (start, k) => Math.round(start + (to[k] - start) * i / many)));
            this.lineEnds = ends;
            this.line.setAttribute("d", "M" + [from, to].map(at => at.map(c => c + .5).join(" ")).join("L"));
            this.ask("line", { cell: null, line: cells.map(([u, v]) => this.mapCell(u, v)), view: this.view });
        }

        drawLine(series) {
            const { run, palettes: { amplitude } } = this, steps = run.last + 1, tall = series.length;
            const canvas = html("canvas", "", { width: steps, height: tall, className: "spacetime" });
            const most = ranksOf(Float64Array.from(series.flatMap(of => [...of])), true).ticks.at(-2);
            const image = new ImageData(steps, tall), to = new Uint32Array(image.data.buffer);
            const scale = scaleOf(-most || -1e-30, most || 1e-30, 0);
            series.forEach((of, i) => of.forEach((value, step) => {
                to[(tall - 1 - i) * steps + step] = amplitude[Math.round(255 * scale.place(value))] | 0xff << 24;
            }));
            canvas.getContext("2d").putImageData(image, 0, 0);
            const [a, b] = this.lineEnds.map(at => `(${at.join(", ")})`);
            const words = _("from %s, below, to %s by step, ±%s.", a, b, brief(most));
            canvas.setAttribute("role", "img");
            canvas.setAttribute("aria-label", words);
            canvas.addEventListener("click", event => this.player.go(
                Math.round(run.last * event.offsetX / canvas.clientWidth)));
            const figure = html("figure", html("figcaption", html("b", _("Amplitude along the line"))),
                                { className: "chart" });
            figure.firstChild.append(" " + words);
            figure.append(canvas);
            this.lineHost.replaceChildren(figure);
            this.root.dataset.line = tall;
        }

        drawProbe(series) {
            const { run, seriesHost: host } = this;
            host.replaceChildren();
            this.series = series;
            const high = Math.max(1e-30, ...series.map(of => of.reduce((a, b) => Math.max(a, Math.abs(b)), 0)));
            const [nx, ny] = run.grid, at = this.pinned;
            const where = [at % nx, (at / nx | 0) % ny, at / nx / ny | 0].slice(0, run.dims).join(", ");
            const inside = this.numberOf([at % nx, (at / nx | 0) % ny, at / nx / ny | 0]);
            const first = [...run.arrival].filter(([, steps]) => steps[inside] >= 0)
                .map(([wave, steps]) => _("wave %s at step %s", wave, steps[inside]));
            this.moveProbe = drawChart(host, {
                title: _("Amplitude at (%s)", where), low: -high, high, last: run.last,
                caption: first.length ? _("by step; first arrivals: %s.", first.join(", ")) : _("by step."),
                lines: series.map((of, w) => ({ name: _("wave %s", run.checked[w]), color: WAVE_COLORS[w % COLORS],
                                                points: Array.from(of, (value, step) => [step, value]) })),
                go: step => this.player.go(step) });
            this.moveProbe(this.step);
            this.root.dataset.series = at;
        }

        csv() {
            const head = ["step", ...this.run.checked.map(wave => "wave" + wave)].join(",");
            return [head, ...Array.from(this.series[0], (_, step) =>
                [step, ...this.series.map(of => of[step])].join(","))].join("\n") + "\n";
        }

        /* ---- what is drawn over it ---- */

        /* Lines between cells of the picture that differ. */
        borders(path, differ) {
            const [nx, ny] = this.size, { first, right, down } = this.strides();
            let d = "";
            for (let v = 0; v < ny; v++)
                for (let u = 0; u < nx; u++) {
                    const i = first + u * right + v * down;
                    if (u + 1 < nx && differ(i, i + right))
                        d += `M${u + 1} ${v}v1`;
                    if (v + 1 < ny && differ(i, i + down))
                        d += `M${u} ${v + 1}h1`;
                }
            path.setAttribute("d", d);
        }

        drawAreas() {
            const { speedOf } = this.run, version = this.version(), key = version + "/" + this.layer;
            if (!speedOf || this.bordered === key)
                return;
            this.bordered = key;
            this.borders(this.areas, (i, j) => speedOf[version][i] !== speedOf[version][j]);
        }

        /* Where the wave that is shown arrived every so many steps. */
        drawFronts() {
            const { run, view } = this, key = [view.wave, this.layer, run.arrival.size && this.proof?.over].join();
            const steps = run.arrival.get(Number(view.wave)) || [...run.arrival.values()][0];
            const [, each] = niceTicks(0, run.last, 20);
            if (!steps || this.fronted === key)
                return;
            this.fronted = key;
            const front = new Int32Array(run.walls[0].length).fill(-1);
            steps.forEach((step, k) => { front[this.cellOf(k)] = step < 0 ? -1 : step / each; });
            this.borders(this.fronts, (i, j) => front[i] >= 0 && front[j] >= 0 && front[i] !== front[j]);
            element("title", {}, this.fronts).textContent = _("arrivals every %s steps", each);
        }

        /* On the layer that is shown, or its floor? */
        stands(z) {
            const { floors, dims } = this.run, at = this.layer;
            if (this.view.layer)
                return this.view.layer[0] <= z && z < this.view.layer[1];
            return !this.live || dims < 3 || at < 0 || Math.round(z) === at ||
                floors.some(([low, high]) => low <= at && at < high && low <= z && z < high);
        }

        place() {
            const { over } = this.player, cells = this.size[0] / this.k / (this.canvas.clientWidth || 1);
            const size = Math.min(1, this.canvas.clientWidth / 420 + .35);
            const index = Math.max(0, this.run.placeSteps.findLastIndex(step => step <= this.step));
            this.find(".trails").toggleAttribute("hidden", !over.trails);
            this.find(".agents").toggleAttribute("hidden", !over.agents);
            this.areas.toggleAttribute("hidden", !over.areas);
            this.fronts.toggleAttribute("hidden", !over.fronts);
            if (over.areas && this.live)
                this.drawAreas();
            if (over.fronts && this.live)
                this.drawFronts();
            if (this.pinAt) {
                const [x, y] = this.pinAt, r = 7 * cells;
                this.pin.setAttribute("d", `M${x - r} ${y}H${x + r}M${x} ${y - r}V${y + r}`);
            }
            for (const track of this.tracks) {
                const [x, y] = track.at[index], [hx, hy] = track.heading(index);
                let path = "", on = false;
                for (let i = 0; i <= index; i++) {
                    const before = on;
                    on = this.stands(track.along(i));
                    if (on && over.trails)
                        path += (before ? "L" : "M") + (track.words[i] ||= track.at[i].map(part => +part.toFixed(3)).join(" "));
                }
                track.lines.forEach(line => line.setAttribute("d", path));
                track.sign.setAttribute("opacity", on ? 1 : .35);
                track.sign.setAttribute("transform", `translate(${x} ${y}) scale(${cells * size})`);
                track.arrow.setAttribute("d", over.headings && (hx || hy) ?
                    `M0 0L${22 * hx} ${22 * hy}` : "");
                if (track.state) {
                    const at = track.agent.captured;
                    track.state.textContent = at >= 0 && at <= this.step ? _("captured at %s", at) : "";
                }
            }
        }
    }

    /* The first recording minus the second, if both show the same. */
    class Difference extends Screen {
        constructor(player) {
            const [a] = player.viewers, root = a.root.cloneNode(true);
            root.querySelectorAll(".legend, .note, .pile, noscript, .over > *").forEach(part => part.remove());
            root.querySelector("figcaption").replaceChildren(_("Difference"), html(
                "span", _("the first minus the second"), { className: "which" }));
            root.className = "viewer difference";
            player.find(".screens").append(root);
            super(root, player);
            Object.assign(this, { live: true, run: a.run, corner: a.corner });
            this.makeStage(a.size);
        }

        get layer() {
            return this.player.viewers[0].layer;
        }

        draw() {
            const [a, b] = this.player.viewers, { view } = a, { range, factor } = this.player;
            this.root.hidden = view.kinds?.length > 0 || !b.values || view.name !== b.view.name ||
                view.wave !== b.view.wave || a.step !== b.step;
            if (this.root.hidden || a.root.dataset.painted !== b.root.dataset.painted)
                return;
            const [nx] = this.size, palette = a.palettes.amplitude, [dx, dy] = this.corner.map((c, k) => c - b.corner[k]);
            const walls = new Uint8Array(a.values.length); /* 1 of one, 2 of both */
            const values = this.values = a.values.map((value, i) => {
                const u = i % nx, v = i / nx | 0, there = b.holds(u + dx, v + dy);
                walls[i] = a.isWall(u, v) + (there && b.isWall(u + dx, v + dy));
                const apart = there && walls[i] === 0 ? value - b.values[(v + dy) * b.size[0] + u + dx] : NaN;
                return DEGREES.includes(view.field) && Math.abs(apart) > 180 ? apart - Math.sign(apart) * 360 : apart;
            });
            const one = i => walls[i] === 1 || walls[i] === 0 && Number.isNaN(values[i]) && !Number.isNaN(a.values[i]);
            const most = largest(values), sizes = values.map(Math.abs).filter(size => size > 0).sort();
            const usual = range === "linear" && sizes.length ? roundUp(sizes[Math.floor(.98 * sizes.length)]) : most;
            const scale = range === "quantile" ? ranksOf(values, true) :
                scaleOf(-factor * usual, factor * usual, range === "log" ? 1e-4 * factor * usual : 0);
            this.paintCells(values, (value, i) => walls[i] === 2 ? palette[256] : one(i) ? ONE_ONLY :
                palette[Number.isNaN(value) ? 257 : Math.round(255 * scale.place(value))]);
            const words = `${named(view.field)}: ` + (sizes.length ?
                _("the largest difference is %s", brief(most)) : _("no difference"));
            this.describe(scale, palette, words, [[_("wall"), palette[256]],
                ...values.some((_value, i) => one(i)) ? [[_("only in one"), ONE_ONLY]] : []], !sizes.length);
            this.player.point();
        }

        say(u, v) {
            const value = this.values?.[v * this.size[0] + u];
            return Number.isFinite(value) ? _("difference %s", String(value).replace("-", "−")) : "";
        }
    }

    /* The pictures of all recordings, the same step in each. */
    class Player {
        constructor(root) {
            this.root = root;
            this.find = name => root.querySelector(name);
            this.viewers = [...root.querySelectorAll(".viewer")].map(viewer => new Viewer(viewer, this));
            this.over = { agents: true, trails: true, headings: false, areas: true, fronts: false };
            this.timer = this.proved = 0;
            this.factor = 1;
            this.ready = new Promise(done => { this.begin = done; });
        }

        async start() {
            await Promise.all(this.viewers.map(viewer => viewer.load()));
            if (this.ended)
                return this.end();
            for (const part of this.root.querySelectorAll("[hidden]"))
                part.hidden = part.matches(".live") && !this.live.length;
            const longest = this.viewers.reduce((a, b) => b.run.last > a.run.last ? b : a);
            this.last = longest.run.last;
            this.every = this.live.length > 0;
            this.steps = this.every ? { length: this.last + 1 } : longest.run.frames;
            const given = new URLSearchParams(location.hash.slice(1));
            this.following = this.every && !given.has("step");
            this.range = "linear";
            if (this.viewers.some(({ live, run }) => live && run.dims > 2))
                this.over.oblique = false;
            this.viewers.forEach(viewer => viewer.startProof());
            const [a, b] = this.viewers;
            if (a.live && b?.live && String(a.run.axes) === String(b.run.axes))
                this.difference = new Difference(this);
            this.screens = [...this.viewers, ...this.difference ? [this.difference] : []];
            if (this.following) {
                this.viewers.forEach(viewer => viewer.drawFirst());
                await new Promise(next => setTimeout(next, FRAME));
                if (this.ended)
                    return this.end();
            }
            this.makeChoices(given);
            this.makeControls();
            this.makeSettings();
            this.viewers.forEach(viewer => viewer.drawCharts());
            this.screens.forEach(screen => this.makePointer(screen));
            this.compare();
            this.look();
            this.show(given.has("step") ? this.frameOf(Number(given.get("step"))) :
                this.following ? 0 : this.steps.length - 1);
            this.restore(given);
            this.begin();
            addEventListener("hashchange", () => /[#&]step=/.test(location.hash) && location.reload());
        }

        get live() {
            return this.viewers.filter(viewer => viewer.live);
        }

        end() {
            this.ended = true;
            cancelAnimationFrame(this.timer);
            clearTimeout(this.sharing);
            this.viewers.forEach(viewer => viewer.end());
        }

        stepOf(frame) {
            return this.every ? frame : this.steps[frame];
        }

        /* The last one that is not after the step. */
        frameOf(step) {
            return this.every ? step : Math.max(0, this.steps.findLastIndex(one => one <= step));
        }

        go(step) {
            this.stop();
            this.show(this.frameOf(step));
        }

        makeChoices(given) {
            const views = this.viewers.flatMap(viewer => viewer.views);
            const names = [...new Set(views.map(view => view.name))];
            const waves = [...new Set(views.map(view => String(view.wave)))];
            const known = (all, name, other) => all.includes(given.get(name)) ? given.get(name) : other;
            this.name = known(names, "view", this.viewers[0].view.name);
            this.wave = known(waves, "wave", String(this.viewers[0].view.wave));
            choose(this.find(".views"), "view", names, this.name, name => {
                this.name = name;
                this.look();
            });
            choose(this.find(".waves"), "wave", waves, this.wave, wave => {
                this.wave = wave;
                this.look();
            });
        }

        look() {
            for (const viewer of this.viewers)
                viewer.look(this.name, this.wave);
            if (this.line)
                this.follow(this.line);
            this.share();
        }

        compare() {
            const host = document.querySelector(".compare > .charts");
            if (host)
                captured(host, this.viewers.map(viewer => viewer.run.groups[0]), this.last,
                         step => this.go(step));
        }

        /* Range, layer and what is drawn over the map; pictures as files. */
        makeSettings() {
            const { live } = this, [first] = live;
            const on = (name, event, act) => this.find(name).addEventListener(event, act);
            if (!first)
                return;
            on(".range", "change", event => { this.range = event.target.value; this.look(); });
            for (const event of ["change", "input"])
                on(".factor", event, ({ target }) => { this.factor = 10 ** target.value; this.look(); });
            for (const name of [".speed", ".pixels"])
                on(name, "change", () => this.share());
            const [low, high] = first.run.region, along = first.run.axes[2];
            this.find(".layers").hidden = low[along] === high[along];
            const layers = this.find(".layer");
            layers.append(html("option", _("all"), { value: -1 }));
            for (let at = low[along]; at <= high[along]; at++)
                layers.append(html("option", `${"xyz"[along]} = ${at}`, { value: at }));
            layers.value = first.layer;
            layers.addEventListener("change", () => {
                live.forEach(viewer => { viewer.layer = Number(layers.value); });
                this.look();
            });
            for (const name of Object.keys(this.over)) {
                const input = html("input", "", { type: "checkbox", checked: this.over[name], name });
                const label = html("label", input);
                label.append(html("span", named(name)));
                input.addEventListener("change", () => {
                    this.over[name] = input.checked;
                    this.viewers.forEach(viewer => name === "oblique" ? viewer.paint() : viewer.place());
                    this.share();
                });
                this.find(".overlays").append(label);
            }
            on(".png", "click", () => live.forEach(viewer => {
                const times = Number(this.find(".pixels").value), { canvas } = viewer;
                const large = html("canvas", "", { width: times * canvas.width, height: times * canvas.height });
                const pen = large.getContext("2d");
                pen.imageSmoothingEnabled = false;
                pen.drawImage(canvas, 0, 0, large.width, large.height);
                large.toBlob(blob => save(`step-${viewer.step}.png`, blob));
            }));
            on(".csv", "click", () => live.filter(viewer => viewer.series).forEach(
                viewer => save("probe.csv", new Blob([viewer.csv()], { type: "text/csv" }))));
            on(".probe", "change", event => this.pin((event.target.value.match(/\d+/g) || []).map(Number)));
            on(".draw", "click", ({ target }) => target.setAttribute(
                "aria-pressed", this.drawing = !this.drawing));
            on(".larger", "click", () => this.zoom(2));
            on(".smaller", "click", () => this.zoom(.5));
        }

        zoom(times) {
            const [{ k, left, top }] = this.screens;
            this.zoomTo(k * times, left + .5 / k, top + .5 / k);
            this.share();
        }

        zoomTo(k, x, y) {
            this.screens.forEach(screen => screen.zoomTo(k, x, y));
        }

        /* A line between two cells, drawn by step for the wave and layer shown. */
        follow(line) {
            this.line = line;
            const key = [line, this.wave, this.viewers[0].layer].join();
            const within = viewer => line.every(at => viewer.holds(...at.map((c, k) => c - viewer.corner[k])));
            if (key !== this.followed)
                this.live.filter(within).forEach(viewer => viewer.follow(line));
            this.followed = key;
        }

        pin(cell) {
            const { grid, dims } = this.viewers[0].run;
            if (cell.length < dims || !cell.every((at, axis) => at < grid[axis]))
                return;
            this.pinned = cell.slice(0, dims).join(",");
            this.find(".probe").value = this.pinned;
            this.viewers.forEach(viewer => viewer.probe(cell));
            this.share();
        }

        /* A click pins a probe; dragging moves a map that is larger than its
         * place, or draws a line. */
        makePointer(screen) {
            const { stage } = screen, worldAt = event => screen.cellAt(event).map((c, k) => c + screen.corner[k]);
            let from = null;
            stage.addEventListener("pointerdown", event => {
                from = { x: event.clientX, y: event.clientY, left: screen.left, top: screen.top,
                         cell: worldAt(event) };
            });
            stage.addEventListener("pointerup", () => {
                if (from?.to)
                    this.follow([from.cell, from.to]);
                this.share();
            });
            stage.addEventListener("pointermove", event => {
                this.pointer = worldAt(event);
                this.point();
                const dx = from ? event.clientX - from.x : 0, dy = from ? event.clientY - from.y : 0;
                if (!from || !event.buttons || Math.hypot(dx, dy) < 5)
                    return;
                from.moved = true;
                if (screen.live && (this.drawing || event.shiftKey))
                    from.to = worldAt(event);
                else if (screen.k > 1)
                    this.zoomTo(screen.k, from.left + (.5 - dx / stage.clientWidth) / screen.k,
                                from.top + (.5 - dy / stage.clientHeight) / screen.k);
            });
            stage.addEventListener("pointerleave", () => { this.pointer = from = null; this.point(); });
            stage.addEventListener("click", event => {
                if (!screen.live || from && from.moved)
                    return;
                const { axes } = screen.run, cell = [0, 0, 0];
                [cell[axes[0]], cell[axes[1]]] = worldAt(event);
                cell[axes[2]] = Math.max(0, screen.layer);
                this.pin(cell);
            });
            stage.addEventListener("wheel", event => {
                if (!event.ctrlKey)
                    return;
                event.preventDefault();
                this.zoom(2 ** (-event.deltaY / 200));
            }, { passive: false });
        }

        /* The values under the pointer, in each picture. */
        point() {
            for (const screen of this.screens) {
                const [u, v] = (this.pointer || [-1, -1]).map((c, k) => c - screen.corner[k]);
                screen.find(".under").textContent = screen.live && screen.holds(u, v) ? screen.say(u, v) : "";
            }
        }

        /* Do the computed generations equal the recording? */
        prove() {
            const proofs = this.viewers.map(viewer => viewer.proof).filter(Boolean), now = performance.now();
            const over = proofs.length === this.live.length && proofs.every(proof => proof.over);
            if (!over && now < this.proved + PAUSE)
                return;
            this.proved = now;
            const [all, equal] = ["all", "equal"].map(name => proofs.reduce(
                (sum, { sums }) => sum + sums[name], 0).toLocaleString(document.documentElement.lang));
            const wrong = proofs.find(({ sums }) => sums.first), { first } = wrong ? wrong.sums : {};
            const words = this.find(".proof"), step = Math.max(...proofs.map(proof => proof.step ?? 0));
            const apart = proofs.flatMap(({ wrong }) => wrong || []);
            const again = this.viewers.every(viewer => viewer.run.proof?.again);
            words.className = "proof" + (first || apart.length ? " bad" : over ? " good" : "");
            words.textContent = (again ?
                _("%s of %s generations equal the run, which was not recorded and was computed again for this page",
                  equal, all) : _("%s of %s generations equal the recording", equal, all)) +
                (!first ? "" : first.wave === "all" ? _("; the first that differs is step %s", first.step) :
                    _("; the first that differs is step %s of wave %s", first.step, first.wave)) +
                (apart.length ? _("; first arrivals differ in wave %s", apart.join(", ")) : "") +
                (this.live.some(({ run }) => run.wave.denormals === "early") && !first ? _(", by the rule of arm64") : "") +
                (over ? _(".") : " " + _("… computing step %s of %s", step, this.last));
            if (over)
                words.dataset.over = `${equal} of ${all}`;
            if (this.following) {
                this.following = !over;
                this.show(over ? this.ending() : step);
            }
        }

        /* The last step, or that before a wave which was sent shortly before it
         * and shows little but a dot. */
        ending() {
            const [{ run }] = this.viewers;
            const sent = run.sent?.findLast(e => String(e.wave) === this.wave && e.step <= this.last);
            return sent && sent.step > 0 && 8 * (this.last - sent.step) < this.last ?
                sent.step - 1 : this.last;
        }

        makeControls() {
            this.scrub = this.find(".scrub");
            this.button = this.find(".play");
            this.scrub.max = this.steps.length - 1;
            this.scrub.addEventListener("input", () => {
                this.stop();
                this.show(Number(this.scrub.value));
            });
            this.button.addEventListener("click", () => this.timer ? this.stop() : this.play());
            this.find(".back").addEventListener("click", () => this.by(-1));
            this.find(".on").addEventListener("click", () => this.by(1));
            this.root.addEventListener("keydown", event => {
                const { tagName, type } = event.target, input = /^(INPUT|SELECT)$/.test(tagName);
                const far = event.shiftKey ? 10 : 1;
                const acts = { ArrowLeft: () => this.by(-far), ArrowRight: () => this.by(far),
                               Home: () => this.go(0), End: () => this.go(this.last),
                               "+": () => this.zoom(2), "-": () => this.zoom(.5) };
                if (event.key === " " && tagName !== "BUTTON" && type !== "radio" && type !== "checkbox")
                    this.timer ? this.stop() : this.play();
                else if (event.key in acts && !input && !event.ctrlKey && !event.metaKey)
                    acts[event.key]();
                else
                    return;
                event.preventDefault();
            });
        }

        by(frames) {
            this.stop();
            this.show(this.frame + frames);
        }

        play() {
            const count = this.steps.length, begin = performance.now();
            this.following = false;
            if (this.frame === count - 1)
                this.show(0);
            const rate = Math.min(Math.max(PICTURES, count / 20), count / 4, 60) *
                Number(this.find(".speed").value), from = this.frame;
            this.button.classList.add("playing");
            this.button.setAttribute("aria-label", _("Pause"));
            const tick = now => {
                if (!this.viewers.some(viewer => viewer.waiting))
                    this.show(from + Math.floor(Math.max(0, now - begin) * rate / 1000));
                this.timer = requestAnimationFrame(tick);
                if (this.frame === count - 1)
                    this.stop();
            };
            this.timer = requestAnimationFrame(tick);
        }

        stop() {
            cancelAnimationFrame(this.timer);
            this.timer = 0;
            this.following = false;
            this.button.classList.remove("playing");
            this.button.setAttribute("aria-label", _("Play"));
            this.share();
        }

        show(frame) {
            this.frame = Math.min(Math.max(frame, 0), this.steps.length - 1);
            const step = this.stepOf(this.frame);
            this.scrub.value = this.frame;
            this.scrub.setAttribute("aria-valuetext", _("step %s of %s", step, this.last));
            this.find(".step").replaceChildren(html("b", _("step %s", step)), html("span", " / " + this.last));
            for (const viewer of this.viewers)
                viewer.show(step);
            if (!this.timer && !this.following)
                this.share();
        }

        /* The address has what is shown: of each control its value, if that is
         * another than at first. */
        share() {
            if (this.following || this.timer || !this.shared)
                return;
            const [{ k, left, top, root }] = this.screens, kept = [k, left + .5 / k, top + .5 / k];
            const to = new URLSearchParams({ step: this.stepOf(this.frame), view: this.name, wave: this.wave });
            for (const [control, first] of this.controls)
                if (control.value !== first)
                    to.set(control.className, control.value);
            if (this.overlays() !== this.shared)
                to.set("over", this.overlays());
            if (k > 1)
                to.set("zoom", kept.map(part => +part.toFixed(4)));
            if (this.line)
                to.set("line", this.line);
            if (document.querySelector(".sweep"))
                to.set("run", root.dataset.run);
            clearTimeout(this.sharing);
            this.sharing = setTimeout(() => history.replaceState(null, "", "#" + String(to).replace(/%2C/g, ",")), 300);
        }

        overlays() {
            return Object.keys(this.over).filter(name => this.over[name]).join();
        }

        /* Sets everything as the address says. */
        restore(given) {
            const numbers = name => (given.get(name) ?? "").split(",").map(Number);
            this.controls = Array.from(this.root.querySelectorAll(".settings select, .settings input"),
                                       control => [control, control.value]);
            this.shared = this.overlays();
            for (const [control, first] of this.controls) {
                const value = given.get(control.className);
                control.value = value ?? first;
                if (value !== null && control.value !== value)
                    control.value = first;
                if (value !== null)
                    control.dispatchEvent(new Event("change"));
            }
            for (const input of this.root.querySelectorAll(".overlays input"))
                if (given.has("over") && input.checked !== given.get("over").split(",").includes(input.name))
                    input.click();
            const [k, x, y] = numbers("zoom"), line = numbers("line");
            if ([k, x, y].every(Number.isFinite))
                this.zoomTo(k, x, y);
            if (line.length === 4 && line.every(Number.isInteger))
                this.follow([line.slice(0, 2), line.slice(2)]);
            this.share();
        }
    }

    const begin = root => {
        const player = new Player(root);
        player.start().catch(fault => {
            for (const still of root.querySelectorAll("noscript"))
                still.outerHTML = still.textContent;
            root.prepend(html("p", _("This browser lacks what the page computes with, so it shows only the last step (%s).",
                                   fault.message), { className: "notice" }));
        });
        return player;
    };
    /* Of many runs one is shown, each time by a player of its own. */
    const makeSweep = () => {
        let root = document.querySelector(".player"), player;
        const bare = root.cloneNode(true), rows = [...document.querySelectorAll(".sweep tbody tr")];
        const pick = number => {
            const next = bare.cloneNode(true), mine = rows.filter(row => row.dataset.run === number);
            player?.end();
            next.querySelector(".viewer").dataset.run = number;
            document.querySelector(".run .charts").replaceChildren();
            root.replaceWith(next);
            root = next;
            rows.forEach(row => row.toggleAttribute("aria-current", false));
            mine.forEach(row => row.setAttribute("aria-current", "true"));
            document.getElementById("shown").textContent = mine[0].querySelector(".pick").textContent;
            player = begin(root);
        };
        for (const row of rows) {
            row.querySelector(".pick").disabled = false;
            row.querySelector(".pick").addEventListener("click", () => pick(row.dataset.run));
        }
        const given = new URLSearchParams(location.hash.slice(1)).get("run");
        pick(rows.some(row => row.dataset.run === given) ? given : "1");
    };
    if (document.querySelector(".sweep"))
        makeSweep();
    else
        document.querySelectorAll(".player").forEach(begin);
};
startPage();
