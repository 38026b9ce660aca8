/* SPDX-License-Identifier: MIT */
"use strict";
(() => {
    const SVG = "http://www.w3.org/2000/svg";
    const RATE = 12; /* frames a second; a film lasts from 4 to 20 seconds */

    const element = (name, attributes, parent) => {
        const made = document.createElementNS(SVG, name);
        for (const [key, value] of Object.entries(attributes))
            made.setAttribute(key, value);
        if (parent)
            parent.append(made);
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
    const png = text => "data:image/png;base64," + text;

    /* "x y x y …" as pairs; "-" is no place. */
    const places = text => {
        const numbers = text.split(" ").map(Number);
        const pairs = [];
        for (let i = 0; i + 1 < numbers.length; i += 2)
            pairs.push([numbers[i], numbers[i + 1]]);
        return pairs;
    };

    /* Choices, as radio buttons for screen readers too. */
    const choose = (fieldset, name, choices, chosen, pick) => {
        fieldset.hidden = choices.length < 2;
        choices.forEach(choice => {
            const label = document.createElement("label");
            const input = document.createElement("input");
            const words = document.createElement("span");
            input.type = "radio";
            input.name = name;
            input.checked = choice === chosen;
            input.addEventListener("change", () => pick(choice));
            words.textContent = choice;
            label.append(input, words);
            fieldset.append(label);
        });
    };

    /* Is it on the layer of the view, at this one of its places? */
    const stands = (view, track, index) => !view.layer ||
        (track.along[index] >= view.layer[0] &&
         track.along[index] < view.layer[1]);

    /* One recording's picture. */
    class Viewer {
        constructor(root) {
            this.root = root;
            this.run = JSON.parse(root.querySelector("script").textContent);
            this.find = name => root.querySelector(name);
            this.frame = 0;
            this.pictures = new Map();
            this.charts = document.querySelectorAll(
                `#run-${root.dataset.run} .cursor`);
            this.view = this.run.views[this.run.opening];
            this.caption = this.find("figcaption a");
            this.makeStage();
            this.makeAgents();
        }

        makeStage() {
            const [nx, ny] = this.run.size;
            const [columns, rows] = this.run.pixels;
            const stage = this.find(".stage");
            this.canvas = this.find("canvas");
            this.canvas.width = columns;
            this.canvas.height = rows;
            this.canvas.style.aspectRatio = nx + "/" + ny;
            stage.style.setProperty("--ratio", (nx / ny).toFixed(4));
            this.over = this.find(".over");
            this.over.setAttribute("viewBox", `0 0 ${nx} ${ny}`);
            this.over.setAttribute("preserveAspectRatio", "none");
        }

        makeAgents() {
            this.tracks = this.run.agents.map(agent => {
                const at = places(agent.at);
                const along = (agent.along || "").split(" ").map(Number);
                const track = { agent, at, along, lines: [] };
                for (const kind of ["case", "line"]) {
                    const line = element("path", { "class": kind },
                                         this.find(".trails"));
                    if (kind === "line") {
                        line.setAttribute("stroke", agent.color);
                        line.setAttribute("stroke-dasharray",
                                          STROKES[agent.shape]);
                    }
                    track.lines.push(line);
                }
                track.sign = element("g", {}, this.find(".agents"));
                this.draw(track.sign, agent);
                element("title", {}, track.sign).textContent = agent.name;
                if (this.run.agents.length <= 24)
                    this.list(track);
                return track;
            });
            new ResizeObserver(() => this.place()).observe(this.canvas);
        }

        draw(sign, agent) {
            if (agent.target) {
                element("circle", { r: 8, fill: "#000" }, sign);
                element("circle", { r: 6.5, fill: "#fff" }, sign);
                element("circle", { r: 3.5, fill: "#000" }, sign);
                element("circle", { r: 1.8, fill: "#fff" }, sign);
            } else {
                outline(agent.shape, 7, "#000", sign);
                outline(agent.shape, 5.5, agent.color, sign);
            }
        }

        list(track) {
            const item = document.createElement("li");
            const sign = element("svg", { viewBox: "-11 -11 22 20",
                                          "aria-hidden": "true" });
            this.draw(sign, track.agent);
            track.state = document.createElement("small");
            item.append(sign, track.agent.name + " ", track.state);
            this.find(".legend").append(item);
        }

        /* The last frame that is not after the step. */
        show(step) {
            const steps = this.run.steps;
            this.frame = 0;
            while (this.frame + 1 < steps.length &&
                   steps[this.frame + 1] <= step)
                this.frame++;
            const own = steps[this.frame], last = this.run.last;
            this.root.dataset.step = own;
            this.find(".ended").textContent =
                step > last ? `Ended at step ${last}. ` : "";
            for (const line of this.charts) {
                const part = last ? 100 * own / last : 0;
                line.setAttribute("x1", part + "%");
                line.setAttribute("x2", part + "%");
            }
            this.paint();
            this.place();
        }

        /* ---- what is seen ---- */

        /* The view of this name and wave, or what is nearest to it. */
        look(name, wave) {
            const views = this.run.views;
            const kind = name.split(",")[0];
            const alike = views.filter(view => view.name === name);
            const kin = alike.length ? alike :
                views.filter(view => view.name.split(",")[0] === kind);
            const view = kin.find(one => one.wave === wave) || kin[0] ||
                views[0];
            this.view = view;
            this.find(".ramp").hidden = !view.ramp;
            if (view.ramp)
                this.find(".ramp").src = png(view.ramp);
            const ticks = (view.ticks || []).map(tick => {
                const label = document.createElement("span");
                label.style.left = 100 * tick.place + "%";
                label.textContent = tick.label;
                return label;
            });
            this.find(".ticks").replaceChildren(...ticks);
            const means = this.find(".means");
            means.textContent = view.means;
            for (const [name, color] of view.swatches) {
                const swatch = document.createElement("i");
                swatch.className = "swatch";
                swatch.style.background = color;
                means.append(swatch, name);
            }
            this.canvas.setAttribute("aria-label", this.caption ?
                this.caption.textContent + ": " + view.means : view.means);
            this.paint();
            this.place();
        }

        /* A picture that is still being decoded is drawn when that is done, if
         * no other was chosen since. */
        paint() {
            const frames = this.view.frames;
            const text = frames[Math.min(this.frame, frames.length - 1)];
            let picture = this.pictures.get(text);
            if (!picture) {
                picture = new Image();
                picture.src = png(text);
                this.pictures.set(text, picture);
            }
            this.chosen = picture;
            const draw = () => {
                if (this.chosen !== picture)
                    return;
                const context = this.canvas.getContext("2d");
                context.clearRect(0, 0, this.canvas.width, this.canvas.height);
                context.drawImage(picture, 0, 0);
                this.root.dataset.painted = this.run.steps[this.frame];
            };
            if (picture.complete)
                draw();
            else
                picture.decode().then(draw);
        }

        place() {
            const cells = this.run.size[0] / (this.canvas.clientWidth || 1);
            const size = Math.min(1, this.canvas.clientWidth / 420 + .35);
            const index = this.run.at[this.frame];
            const step = this.run.steps[this.frame];
            for (const track of this.tracks) {
                const [x, y] = track.at[index];
                let path = "", on = false;
                for (let i = 0; i <= index; i++) {
                    const before = on;
                    on = stands(this.view, track, i);
                    if (on)
                        path += (before ? "L" : "M") + track.at[i].join(" ");
                }
                track.lines.forEach(line => line.setAttribute("d", path));
                track.sign.setAttribute("opacity", on ? 1 : .35);
                track.sign.setAttribute(
                    "transform",
                    `translate(${x} ${y}) scale(${cells * size})`);
                if (track.state) {
                    const at = track.agent.captured;
                    track.state.textContent =
                        at >= 0 && at <= step ? `captured at ${at}` : "";
                }
            }
        }
    }

    /* The pictures of all recordings, the same step in each. */
    class Player {
        constructor(root) {
            this.root = root;
            this.find = name => root.querySelector(name);
            for (const part of root.querySelectorAll("[hidden]"))
                part.hidden = false;
            this.viewers = [...root.querySelectorAll(".viewer")].map(
                viewer => new Viewer(viewer));
            const longest = this.viewers.reduce(
                (a, b) => b.run.last > a.run.last ? b : a);
            this.steps = longest.run.steps;
            this.last = longest.run.last;
            this.timer = 0;
            this.makeChoices();
            this.makeControls();
            this.viewers.forEach(viewer => this.makeDrag(viewer));
            this.look();
            this.show(this.steps.length - 1);
        }

        makeChoices() {
            const views = this.viewers.flatMap(viewer => viewer.run.views);
            const names = [...new Set(views.map(view => view.name))];
            const waves = [...new Set(views.map(view => view.wave))];
            this.name = this.viewers[0].view.name;
            this.wave = this.viewers[0].view.wave;
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
        }

        makeDrag(viewer) {
            const stage = viewer.find(".stage");
            const drag = event => {
                const box = stage.getBoundingClientRect();
                const part = (event.clientX - box.left) / box.width;
                this.stop();
                this.show(Math.round(part * (this.steps.length - 1)));
            };
            stage.addEventListener("pointerdown", event => {
                if (event.button === 0) {
                    stage.setPointerCapture(event.pointerId);
                    drag(event);
                }
            });
            stage.addEventListener("pointermove", event => {
                if (stage.hasPointerCapture(event.pointerId))
                    drag(event);
            });
        }

        makeControls() {
            this.scrub = this.find(".scrub");
            this.button = this.find(".play");
            this.scrub.max = this.steps.length - 1;
            this.scrub.addEventListener("input", () => {
                this.stop();
                this.show(Number(this.scrub.value));
            });
            this.button.addEventListener(
                "click", () => this.timer ? this.stop() : this.play());
            this.find(".back").addEventListener("click", () => this.by(-1));
            this.find(".on").addEventListener("click", () => this.by(1));
            this.root.addEventListener("keydown", event => {
                const input = event.target.tagName === "INPUT";
                const moves = { ArrowLeft: -1, ArrowRight: 1 };
                if (event.key === " " && event.target.tagName !== "BUTTON" &&
                    event.target.type !== "radio") {
                    this.timer ? this.stop() : this.play();
                    event.preventDefault();
                } else if (event.key in moves && !input) {
                    this.by(moves[event.key]);
                    event.preventDefault();
                }
            });
        }

        by(frames) {
            this.stop();
            this.show(this.frame + frames);
        }

        play() {
            const count = this.steps.length;
            const rate = Math.min(Math.max(RATE, count / 20), count / 4);
            if (this.frame === count - 1)
                this.show(0);
            this.button.classList.add("playing");
            this.button.setAttribute("aria-label", "Pause");
            this.timer = setInterval(() => {
                this.show(this.frame + 1);
                if (this.frame === count - 1)
                    this.stop();
            }, 1000 / Math.max(rate, 2));
        }

        stop() {
            clearInterval(this.timer);
            this.timer = 0;
            this.button.classList.remove("playing");
            this.button.setAttribute("aria-label", "Play");
        }

        show(frame) {
            this.frame = Math.min(Math.max(frame, 0), this.steps.length - 1);
            const step = this.steps[this.frame];
            this.scrub.value = this.frame;
            this.scrub.setAttribute("aria-valuetext",
                                    `step ${step} of ${this.last}`);
            const words = [document.createElement("b"),
                           document.createElement("span")];
            words[0].textContent = "step " + step;
            words[1].textContent = " of " + this.last;
            this.find(".step").replaceChildren(...words);
            for (const viewer of this.viewers)
                viewer.show(step);
        }
    }

    for (const root of document.querySelectorAll(".player"))
        new Player(root);
})();
