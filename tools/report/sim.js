/* SPDX-License-Identifier: MIT */
"use strict";
/* The recorded waves, computed again from what the page carries: an
 * implementation of its own of src/wave/wave.h (Watanabe 2021, eqs 12-15;
 * Kumagai 2024, eqs 2.13-2.19), src/wave/edges.h and mode.h. Each operation is rounded once to the run's
 * precision, in the order given there, so every bit is the recorder's. The text
 * of this function is also the page's worker: it uses nothing outside itself. */
const makeHamon = () => {
    /* ---- CRC-32C (RFC 3720), sixteen bytes at a time ---- */
    const TABLES = Array.from({ length: 16 }, () => new Uint32Array(256));
    for (let i = 0; i < 256; i++) {
        let crc = i;
        for (let bit = 0; bit < 8; bit++)
            crc = crc & 1 ? crc >>> 1 ^ 0x82f63b78 : crc >>> 1;
        TABLES[0][i] = crc;
    }
    for (let i = 0; i < 256; i++)
        for (let t = 1; t < 16; t++)
            TABLES[t][i] = TABLES[t - 1][i] >>> 8 ^ TABLES[0][TABLES[t - 1][i] & 255];
    const [t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, t12, t13, t14, t15] = TABLES;
    const crc32c = (crc, words, from, count) => {
        const end = from + count;
        let i = from;
        crc = ~crc;
        for (; i + 4 <= end; i += 4) {
            const a = words[i] ^ crc, b = words[i + 1], c = words[i + 2], d = words[i + 3];
            crc = t15[a & 255] ^ t14[a >>> 8 & 255] ^ t13[a >>> 16 & 255] ^ t12[a >>> 24] ^
                (t11[b & 255] ^ t10[b >>> 8 & 255] ^ t9[b >>> 16 & 255] ^ t8[b >>> 24] ^
                 t7[c & 255] ^ t6[c >>> 8 & 255] ^ t5[c >>> 16 & 255] ^ t4[c >>> 24] ^
                 t3[d & 255] ^ t2[d >>> 8 & 255] ^ t1[d >>> 16 & 255] ^ t0[d >>> 24]);
        }
        for (; i < end; i++) {
            const a = words[i] ^ crc;
            crc = t3[a & 255] ^ t2[a >>> 8 & 255] ^ t1[a >>> 16 & 255] ^ t0[a >>> 24];
        }
        return ~crc >>> 0;
    };

    const cellAt = (i, [nx, ny]) => [i % nx, (i / nx | 0) % ny, i / nx / ny | 0];
    const indexAt = ([x, y, z], [nx, ny]) => (z * ny + y) * nx + x;

    /* ---- what the page carries (words.c): series of 32-bit differences ---- */
    const reader = bytes => {
        let at = 0;
        const raw = count => bytes.subarray(at, at += count);
        const take = count => { /* four planes of bytes; the sign is the lowest bit */
            const series = new Int32Array(count);
            for (let i = 0, sum = 0; i < count; i++) {
                const word = bytes[at + i] | bytes[at + count + i] << 8 |
                    bytes[at + 2 * count + i] << 16 | bytes[at + 3 * count + i] << 24;
                sum = sum + (word >>> 1 ^ -(word & 1)) | 0;
                series[i] = sum;
            }
            at += 4 * count;
            return series;
        };
        const takeMap = (count, width) => { /* from the row above */
            const map = take(count);
            for (let i = width; i < count; i++)
                map[i] += map[i - width];
            return map;
        };
        return { raw, take, takeMap };
    };
    /* From the run's own bytes and those of its map. */
    const unpack = (run, bytes, map) => {
        const { raw, take, takeMap } = reader(bytes), world = reader(map);
        const [nx, ny, nz] = run.grid, [low, high] = run.region, { wave } = run;
        const cells = nx * ny * nz, wide = high[0] - low[0] + 1;
        const inside = [0, 1, 2].reduce((n, a) => n * (high[a] - low[a] + 1), 1);
        run.placeSteps = take(run.places);
        for (const agent of run.agents)
            agent.track = Array.from({ length: 2 * run.dims }, () => take(run.places));
        run.palettes = run.palettes.map(() => take(258));
        const texts = run.texts.map(count => new TextDecoder().decode(raw(count)));
        let before = new Int32Array(inside);
        run.arrival = new Map(run.arrivals.map(({ wave: number }) => [number,
            run.level === undefined ? before = takeMap(inside, wide).map((more, k) => before[k] + more) :
                new Int32Array(inside).fill(-1)]));
        run.fronts = new Map(run.fronts.map(
            ({ name, low: least, parts }) => [name, Float64Array.from(
                takeMap(inside, wide), number => number < 0 ? NaN : least + number / parts)]));
        run.walls = run.versions.map(() => world.raw(cells + 7 >> 3)).map(
            bits => Uint8Array.from({ length: cells }, (_, i) => bits[i >> 3] >> (i & 7) & 1));
        run.texts = texts.map(text => { /* rows of the map are left out: 1 */
            let i = 0;
            return text.replace(/\x01/g, () => {
                const row = run.walls[0].subarray(i, i += nx);
                return Array.from(row, wall => ".@"[wall]).join("");
            });
        });
        run.speedOf = run.speeds && run.versions.map(
            () => Float64Array.from(world.take(cells), k => run.speeds[k]));
        if (!wave)
            return run;
        const Real = wave.precision === "single" ? Float32Array : Float64Array;
        const reals = count => new Real(take(count * Real.BYTES_PER_ELEMENT / 4).buffer);
        const [of, step, cell] = [0, 1, 2].map(() => take(run.emissions));
        run.sent = Array.from(of, (w, i) => ({ wave: w, step: step[i], cell: cell[i],
                                               at: cellAt(cell[i], run.grid) }));
        const { rows } = run.proof;
        run.proof.steps = take(rows);
        run.crc = (run.proof.again ? ["all"] : run.checked).map(
            number => [number, Uint32Array.from(take(rows))]);
        run.tables = run.tables.map(table => ({ ...table, values: reals(table.count) }));
        const doubles = count => new Float64Array(take(2 * count).buffer);
        run.levels = run.sections?.map(() => doubles(run.ages));
        run.shapes = run.across?.map(axis => doubles(
            run.sections[0][1][axis] - run.sections[0][0][axis] + 1));
        return run;
    };

    /* ---- open edges: the map's edge cells are repeated beyond them, and waves
     * vanish there (edges.h; Chern 2019) ---- */
    const DEPTH = 28;
    /* The run on the map with those cells. `move`: from a cell of the map. */
    const widen = run => {
        if (!run.wave.open)
            return { ...run, move: at => at, map: [[0, 0, 0], run.grid.map(n => n - 1)], layers: [], beyond: [] };
        const depth = side => run.wave.open >> side & 1 ? DEPTH : 0;
        const before = [0, 1, 2].map(axis => depth(2 * axis + 1));
        const grid = run.grid.map((n, axis) => before[axis] + n + depth(2 * axis));
        const move = at => at.map((c, axis) => c + before[axis]);
        const from = Int32Array.from({ length: grid[0] * grid[1] * grid[2] }, (_, i) => indexAt(
            cellAt(i, grid).map((c, axis) => Math.min(Math.max(c - before[axis], 0), run.grid[axis] - 1)), run.grid));
        const layers = [0, 1, 2, 3, 4, 5].filter(depth).map(side => layerOf(grid, side));
        const spread = of => of.constructor.from(from, i => of[i]);
        return { ...run, grid, move, map: [before, move(run.grid.map(n => n - 1))],
                 layers, beyond: Int32Array.from(new Set(layers.flatMap(({ cells }) => [...cells]))),
                 walls: run.walls.map(spread), speedOf: run.speedOf && run.speedOf.map(spread),
                 region: run.region.map(move), sections: run.sections?.map(box => box.map(move)),
                 proof: { ...run.proof, region: run.proof.region.map(move) },
                 sent: run.sent.map(({ wave, step, at }) => (
                     { wave, step, at: move(at), cell: indexAt(move(at), grid) })) };
    };
    /* The layer at a side (east, west, south, north, down, up): its cells and how
     * far each is out, the steps outwards in the grid and in the layer. */
    const layerOf = (grid, side) => {
        const axis = side >> 1, sign = side % 2 ? -1 : 1, size = grid.map((n, a) => a === axis ? DEPTH : n);
        const low = grid.map((n, a) => a === axis && sign > 0 ? n - DEPTH : 0);
        const places = Array.from({ length: size[0] * size[1] * size[2] }, (_, k) => cellAt(k, size));
        const strides = ([nx, ny]) => [1, nx, nx * ny];
        return { axis, sign, low: low[axis], inwards: [1, 0, 2, 3, 5, 4][side],
                 far: sign * strides(grid)[axis], beside: sign * strides(size)[axis],
                 out: Int32Array.from(places, at => sign > 0 ? at[axis] : DEPTH - 1 - at[axis]),
                 cells: Int32Array.from(places, at => indexAt(at.map((c, k) => c + low[k]), grid)) };
    };
    /* A step in the layers of a wave, F and B of each: adds F + B to the
     * differences in `out`, then F[j] = F[j] - s((F[j] + F[j+1]) + (z[j+2] - z[j])),
     * and B alike inwards; z is mirrored at the outer end. */
    const vanishBy = R => {
        const SIXTH = R(1 / 6);
        /* 9 points: (1 + dx/6)(F + B). */
        const smoothed = ({ wall, free, size: [nx] }, sum, k, i) => {
            const own = sum(k), x = i % nx;
            const east = x + 1 < nx && !(free && wall[i + 1]) ? sum(k + 1) : own;
            const west = x > 0 && !(free && wall[i - 1]) ? sum(k - 1) : own;
            return wall[i] ? 0 : R(own + R(SIXTH * R(R(east - own) + R(west - own))));
        };
        /* 9 points: z + (dy z + F + B)/6, with F and B of the layers along y. */
        const driven = ({ wall, free, size: [nx, ny] }, z, i, along) => {
            const y = i / nx | 0, own = z[i];
            const north = y > 0 && !(free && wall[i - nx]) ? z[i - nx] : own;
            const south = y + 1 < ny && !(free && wall[i + nx]) ? z[i + nx] : own;
            let sum = R(R(north - own) + R(south - own));
            for (const { layer, F, B } of along) {
                const k = i - layer.low * nx;
                if (k >= 0 && k < F.length)
                    sum = R(sum + R(F[k] + B[k]));
            }
            return wall[i] ? 0 : R(own + R(SIXTH * sum));
        };
        /* F + B of an edge, to be added to those of the others. */
        const gather = (M, { layer: { cells, axis, inwards }, F, B }, sums) => {
            const sum = k => R(F[k] + B[k]), count = M.points.length, smooth = M.kind === 9 && axis === 1;
            for (let k = 0; k < cells.length; k++) {
                const i = cells[k], one = smooth ? smoothed(M, sum, k, i) : sum(k);
                sums[i] = R(sums[i] + (M.faces ? R(M.faces[i * count + inwards] * one) : one));
            }
        };
        const add = (M, sums, out) => {
            for (const i of M.run.beyond) {
                const sum = sums[i];
                out[i] = R(out[i] + (M.faces ? sum : R((M.D ? M.D[i] : M.d) * sum)));
                sums[i] = 0;
            }
        };
        /* F, what goes outwards, or B, what goes inwards, up to `end`. */
        const pull = ({ cells, out, far, beside, sign }, of, toward, end, s, z) => {
            const next = toward * beside, there = 2 * toward * far, up = toward * sign;
            for (let k = up > 0 ? 0 : cells.length - 1; k >= 0 && k < cells.length; k += up) {
                const i = cells[k], other = toward > 0 && out[k] === DEPTH - 2 ? i + far : i + there;
                if (out[k] !== end)
                    of[k] = R(of[k] - R(s * R(R(of[k] + of[k + next]) + R(z[other] - z[i]))));
            }
        };
        return (M, edges, z, out) => {
            const s = R(Math.sqrt(M.run.wave.delta)), sums = M.sums ||= z.map(() => 0);
            const along = edges.filter(({ layer }) => layer.axis === 1);
            for (const edge of edges) {
                const { cells, far, axis } = edge.layer;
                edge.z = M.kind === 9 && axis === 0 ? edge.z || z.slice() : z;
                for (let k = 0; k < cells.length && edge.z !== z; k++)
                    for (const i of [cells[k], cells[k] - far])
                        edge.z[i] = driven(M, z, i, along);
            }
            edges.forEach(edge => gather(M, edge, sums));
            add(M, sums, out);
            for (const { layer, F, B, z: from } of edges) {
                pull(layer, F, 1, DEPTH - 1, s, from);
                pull(layer, B, -1, 0, s, from);
            }
        };
    };

    /* ---- the medium: the coefficients and neighbours of every cell ---- */
    const along = [[1, 0, 0], [-1, 0, 0], [0, -1, 0], [0, 1, 0]];
    const deep = [[0, 0, 1], [0, 0, -1]];
    const across = [[1, 1, 0], [-1, -1, 0], [1, -1, 0], [-1, 1, 0]];
    const lift = (points, z) => points.map(([x, y]) => [x, y, z]);
    /* points in the order of the sums; w1, w2, w3; their whole */
    const STENCILS = {
        "5-point": [along, [], 4],
        "7-point": [[...along, ...deep], [], 6],
        "9-point": [[...along, ...across], [4 / 6, 1 / 6], 10 / 3],
        "27-point": [[...along, ...deep, ...across, ...lift(along, 1), ...lift(along, -1),
            ...lift(across, 1), ...lift(across, -1)], [16 / 36, 4 / 36, 1 / 36], 38 / 9],
    };

    class Medium {
        constructor(run, version) {
            const { wave } = run, [nx, ny, nz] = run.grid, cells = nx * ny * nz;
            const single = wave.precision === "single", m = wave.damping / 2, scale = 1 + m;
            const Real = single ? Float32Array : Float64Array;
            const round = single ? Math.fround : x => x;
            const [points, weights, whole] = STENCILS[wave.stencil];
            const speed = run.speedOf && run.speedOf[version];
            const delta = i => speed ? wave.delta * (speed[i] * speed[i]) : wave.delta;
            Object.assign(this, { run, points, size: [nx, ny, nz], wall: run.walls[version] });
            this.kind = points.length + 1;
            this.free = wave.walls === "free";
            this.weights = weights.map(round);
            this.offsets = Int32Array.from(points, ([x, y, z]) => this.at(x, y, z));
            this.a = round((1 - m) / scale);
            this.d = round(wave.delta / scale);
            this.c = round((2 - whole * wave.delta) / scale);
            this.faces = wave.speed_form === "conservative" && new Real(cells * points.length);
            this.C = speed || this.faces ? new Real(cells) : null;
            this.D = speed && !this.faces ? new Real(cells) : null;
            for (let i = 0; i < cells && this.C; i++) {
                if (this.wall[i])
                    continue;
                if (this.faces) {
                    this.setFaces(i, delta, scale);
                } else {
                    this.D[i] = delta(i) / scale;
                    this.C[i] = (2 - whole * delta(i)) / scale;
                }
            }
            this.sort();
        }
        at(x, y, z) {
            return (z * this.size[1] + y) * this.size[0] + x;
        }
        mirrors(x, y, z) {
            const [nx, ny, nz] = this.size;
            return x < 0 || y < 0 || z < 0 || x >= nx || y >= ny || z >= nz ||
                this.free && this.wall[this.at(x, y, z)] === 1;
        }
        /* The cell that is read for a neighbour: the cell itself for a mirror
         * (eqs 14, 15); over edges and corners by the rule of wave.h. */
        neighbour(x, y, z, step) {
            const axes = [0, 1, 2].filter(a => step[a]);
            const all = axes.reduce((bits, a) => bits | 1 << a, 0);
            const to = bits => [0, 1, 2].map(a => [x, y, z][a] + (bits >> a & 1 && step[a]));
            const can = bits => !this.mirrors(...to(bits));
            if (axes.length === 1)
                return can(all) || this.faces && this.holds(...to(all)) ?
                    this.at(...to(all)) : this.at(x, y, z);
            let left = all;
            for (const a of axes) {
                let shut = true;
                for (let bits = 1; bits <= all; bits++)
                    if (!(bits & ~all) && bits >> a & 1 && can(bits))
                        shut = false;
                left &= shut ? ~(1 << a) : left;
            }
            const leads = bits => bits === 0 || can(bits) &&
                axes.some(a => bits >> a & 1 && leads(bits & ~(1 << a)));
            return this.at(...to(leads(left) ? left : 0));
        }
        holds(x, y, z) {
            const [nx, ny, nz] = this.size;
            return x >= 0 && y >= 0 && z >= 0 && x < nx && y < ny && z < nz;
        }
        /* Conservative: the face to a free cell is the harmonic mean. */
        setFaces(i, delta, scale) {
            const [x, y, z] = cellAt(i, this.size);
            const count = this.points.length, own = delta(i);
            const face = this.points.map(([dx, dy, dz]) => {
                if (this.mirrors(x + dx, y + dy, z + dz))
                    return 0;
                const j = this.at(x + dx, y + dy, z + dz), other = this.wall[j] ? own : delta(j);
                return own === other ? own : 2 * (own * other) / (own + other);
            });
            let sum = (face[0] + face[1]) + (face[2] + face[3]);
            if (count === 6)
                sum += face[4] + face[5];
            face.forEach((f, k) => { this.faces[i * count + k] = f / scale; });
            this.C[i] = (2 - sum) / scale;
        }
        isAlike(i, j) {
            return !this.C || this.C[i] === this.C[j] && this.D[i] === this.D[j];
        }
        /* Of each row of cells: runs of cells with the same coefficients whose
         * neighbours are all read at fixed offsets, and the other free cells with
         * their neighbours. */
        sort() {
            const [nx, ny, nz] = this.size, runs = [], others = [], near = [];
            this.runRows = new Int32Array(ny * nz + 1);
            this.otherRows = new Int32Array(ny * nz + 1);
            for (let z = 0; z < nz; z++)
                for (let y = 0; y < ny; y++) {
                    let begin = -1;
                    for (let x = 0; x <= nx; x++) {
                        const i = this.at(x, y, z), open = x < nx && !this.wall[i];
                        const plain = open && !this.faces && x > 0 && y > 0 && x < nx - 1 &&
                            y < ny - 1 && (nz === 1 || z > 0 && z < nz - 1) &&
                            !(this.free && this.offsets.some(o => this.wall[i + o]));
                        if (begin >= 0 && !(plain && this.isAlike(begin, i))) {
                            runs.push(i);
                            begin = -1;
                        }
                        if (plain && begin < 0) {
                            runs.push(i);
                            begin = i;
                        }
                        if (open && !plain) {
                            others.push(i);
                            for (const step of this.points)
                                near.push(this.neighbour(x, y, z, step));
                        }
                    }
                    this.runRows[z * ny + y + 1] = runs.length;
                    this.otherRows[z * ny + y + 1] = others.length;
                }
            this.runs = Int32Array.from(runs);
            this.others = Int32Array.from(others);
            this.near = Int32Array.from(near);
        }
    }

    /* ---- a step: z[k+1] = d S + (c z[k] - a z[k-1]) (eq 12) ---- */
    /* Recorders flush denormals after rounding: a product below this is 0; those
     * on arm64 before, "early". */
    const round = Math.fround;
    const flushBy = least => v => v < least && v > -least ? 0 * v : Math.fround(v);
    /* One cell, every operation by F: rounds, and flushes denormals if the
     * recorder did. */
    const V = new Float64Array(26);
    const cellBy = F => {
        const four = k => F(F(V[k] + V[k + 1]) + F(V[k + 2] + V[k + 3]));
        return (M, now, out, i, near, at, base) => {
            const count = M.kind - 1, { faces, weights: { 0: w1, 1: w2, 2: w3 } } = M;
            for (let k = 0; k < count; k++)
                V[k] = faces ? F(faces[i * count + k] * now[base + near[at + k]]) : now[base + near[at + k]];
            const rest = F(F((M.C ? M.C[i] : M.c) * now[i]) - F(M.a * out[i]));
            let sum = four(0);
            if (count === 6)
                sum = F(sum + F(V[4] + V[5]));
            if (count === 8)
                sum = F(F(w1 * sum) + F(w2 * four(4)));
            if (count === 26)
                sum = F(F(F(w1 * F(sum + F(V[4] + V[5]))) +
                          F(w2 * F(four(6) + F(four(10) + four(14))))) +
                        F(w3 * F(four(18) + four(22))));
            return F(faces ? sum + rest : F((M.D ? M.D[i] : M.d) * sum) + rest);
        };
    };
    /* A run of plain cells is computed without flushing,
     * and a cell again with it if the result is so small that a denormal may
     * have been flushed before, unless all that it reads is 0. */
    const SMALL = { single: { 5: 2 ** -70, 7: 2 ** -45, 9: 2 ** -45 },
                    double: { 5: 2 ** -900, 7: 2 ** -840, 9: 2 ** -840 } };
    const dark = (M, now, old, i) => {
        for (let k = 0; k < M.offsets.length; k++)
            if (now[i + M.offsets[k]] !== 0)
                return false;
        return now[i] === 0 && old === 0;
    };
    const sweepsBy = round => {
        const sweep5 = (M, now, out, begin, end, small, redo) => {
            const { D, C } = M, s = M.size[0], a = round(M.a);
            const d = round(D ? D[begin] : M.d), c = round(C ? C[begin] : M.c);
            for (let i = begin; i < end; i++) {
                const S = round(round(now[i + 1] + now[i - 1]) + round(now[i - s] + now[i + s]));
                const r = round(round(d * S) + round(round(c * now[i]) - round(a * out[i])));
                if (Math.abs(r) < small && !(r === 0 && dark(M, now, out[i], i)))
                    out[i] = redo(M, now, out, i, M.offsets, 0, i);
                else
                    out[i] = r;
            }
        };
        const sweep7 = (M, now, out, begin, end, small, redo) => {
            const { D, C } = M, s = M.size[0], l = s * M.size[1], a = round(M.a);
            const d = round(D ? D[begin] : M.d), c = round(C ? C[begin] : M.c);
            for (let i = begin; i < end; i++) {
                const S = round(round(round(now[i + 1] + now[i - 1]) + round(now[i - s] + now[i + s])) +
                                round(now[i + l] + now[i - l]));
                const r = round(round(d * S) + round(round(c * now[i]) - round(a * out[i])));
                if (Math.abs(r) < small && !(r === 0 && dark(M, now, out[i], i)))
                    out[i] = redo(M, now, out, i, M.offsets, 0, i);
                else
                    out[i] = r;
            }
        };
        const sweep9 = (M, now, out, begin, end, small, redo) => {
            const { D, C } = M, s = M.size[0], a = round(M.a);
            const w1 = round(M.weights[0]), w2 = round(M.weights[1]);
            const d = round(D ? D[begin] : M.d), c = round(C ? C[begin] : M.c);
            for (let i = begin; i < end; i++) {
                const A = round(round(now[i + 1] + now[i - 1]) + round(now[i - s] + now[i + s]));
                const B = round(round(now[i + s + 1] + now[i - s - 1]) +
                                round(now[i - s + 1] + now[i + s - 1]));
                const r = round(round(d * round(round(w1 * A) + round(w2 * B))) +
                                round(round(c * now[i]) - round(a * out[i])));
                if (Math.abs(r) < small && !(r === 0 && dark(M, now, out[i], i)))
                    out[i] = redo(M, now, out, i, M.offsets, 0, i);
                else
                    out[i] = r;
            }
        };
        return { 5: sweep5, 7: sweep7, 9: sweep9 };
    };
    const LEAST = 2 ** -1022;
    const BY = [["flush", "single", flushBy(2 ** -126 - 2 ** -151)], ["early", "single", flushBy(2 ** -126)],
                ["flush", "double", v => v < LEAST && v > -LEAST ? 0 * v : v],
                ["keep", "single", round], ["keep", "double", v => v]].map(
        ([denormals, precision, R]) => ({ denormals, precision, R, cell: cellBy(R), vanish: vanishBy(R),
                                              sweeps: sweepsBy(precision === "single" ? round : v => v) }));
    /* Can there be other values by the rule of arm64? */
    const hasOther = ({ wave, proof }) =>
        wave.denormals === "flush" && wave.precision === "single" && !proof.again;
    const rulesOf = ({ denormals, precision }) => BY.find(
        rules => rules.denormals === denormals && rules.precision === precision);
    /* Of a row its cells from first to last. */
    const stepRow = (M, now, out, row, first, last) => {
        const { wave } = M.run, count = M.points.length;
        const { cell, sweeps } = rulesOf(wave), sweep = sweeps[M.kind];
        const small = wave.denormals !== "keep" ? SMALL[wave.precision][M.kind] : 0;
        for (let k = M.runRows[row]; k < M.runRows[row + 1]; k += 2) {
            const begin = Math.max(M.runs[k], first), end = Math.min(M.runs[k + 1], last + 1);
            if (begin < end && sweep)
                sweep(M, now, out, begin, end, small, cell);
            for (let i = begin; i < end && !sweep; i++)
                out[i] = cell(M, now, out, i, M.offsets, 0, i);
        }
        for (let k = M.otherRows[row]; k < M.otherRows[row + 1]; k++)
            if (M.others[k] >= first && M.others[k] <= last)
                out[M.others[k]] = cell(M, now, out, M.others[k], M.near, k * count, 0);
    };

    /* ---- a run: all its waves at one step ---- */
    /* The cell of the map that has number k in the region; and the number of a
     * cell (x, y, z), −1 beyond it. */
    const numberOf = ({ region: [low, high] }, cell) => {
        const beyond = cell.some((c, axis) => c < low[axis] || c > high[axis]);
        const [x, y, z] = cell.map((c, axis) => c - low[axis]);
        return beyond ? -1 : x + (high[0] - low[0] + 1) * (y + (high[1] - low[1] + 1) * z);
    };
    const placeOf = ({ grid: [nx, ny], region: [low, high] }, k) => {
        const wide = high[0] - low[0] + 1, tall = high[1] - low[1] + 1;
        return low[0] + k % wide + nx * (low[1] + (k / wide | 0) % tall +
            ny * (low[2] + (k / wide / tall | 0)));
    };
    class Sim {
        /* Of these waves. */
        constructor(run, numbers = run.checked) {
            const Real = run.wave.precision === "single" ? Float32Array : Float64Array;
            const [nx, ny, nz] = run.grid;
            this.run = run;
            this.rules = rulesOf(run.wave);
            this.media = [];
            this.step = 0;
            this.waves = numbers.map(number => ({
                number, sent: run.sent.filter(e => e.wave === number),
                now: new Real(nx * ny * nz), before: new Real(nx * ny * nz),
                edges: run.layers.map(layer => ({ layer, F: new Real(layer.cells.length),
                                                  B: new Real(layer.cells.length) })) }));
            this.enter(this.versionAt(0));
        }
        versionAt(step) {
            return this.run.versions.findLastIndex((first, v) => v === 0 || first <= step);
        }
        /* All that the next generation is made from. */
        stateOf({ now, before, edges }) {
            return [now, before, ...edges.flatMap(({ F, B }) => [F, B])];
        }
        medium(version) {
            return this.media[version] ||= new Medium(this.run, version);
        }
        emission(wave, step) {
            return wave.sent.findLast(e => e.step <= step);
        }
        /* So many cells along each axis a wave has come, one a step; if neighbours
         * are along the axes only, so many along all of them together. */
        reachOf({ step }) {
            const { source } = this.run.wave;
            return source === "gaussian" || source === "mode" ? Infinity : this.step - step;
        }
        /* Visits each row of the box with the cells that the wave can have reached:
         * from first to last. All others are 0. */
        rows(sent, [low, high], visit) {
            if (!sent)
                return;
            const [x0, y0, z0] = sent.at, reach = this.reachOf(sent), straight = /^[57]/.test(this.run.wave.stencil);
            for (let z = Math.max(low[2], z0 - reach); z <= Math.min(high[2], z0 + reach); z++)
                for (let y = Math.max(low[1], y0 - reach); y <= Math.min(high[1], y0 + reach); y++) {
                    const far = straight ? reach - Math.abs(y - y0) - Math.abs(z - z0) : reach;
                    const first = Math.max(low[0], x0 - far), last = Math.min(high[0], x0 + far);
                    if (first <= last)
                        visit(first | 0, last | 0, y | 0, z | 0);
                }
        }
        /* Events of the map come first, then emissions. Of a wave that ends here
         * the generation before both, which is not recorded, counts for recorded
         * arrivals. */
        enter(version) {
            const wall = this.run.walls[version];
            for (const wave of this.waves) {
                const sent = this.emission(wave, this.step), now = sent && sent.step === this.step;
                if (now && this.run.arrivals.find(of => of.wave === wave.number)?.recorded)
                    this.find(wave);
                for (let i = 0; i < wall.length && version !== this.version; i++)
                    if (wall[i])
                        wave.now[i] = wave.before[i] = 0;
                for (const { layer: { cells }, F, B } of version !== this.version ? wave.edges : [])
                    cells.forEach((i, k) => { F[k] = wall[i] ? 0 : F[k]; B[k] = wall[i] ? 0 : B[k]; });
                if (now)
                    this.emit(wave, sent, wall);
                else
                    this.find(wave);
            }
            this.version = version;
        }
        emit(wave, { cell, at }, wall) {
            const { wave: { source, amplitude }, map: [low, high], grid } = this.run;
            this.stateOf(wave).forEach(of => of.fill(0));
            if (wall[cell])
                return;
            if (source === "impulse" || source === "rest")
                wave.now[cell] = amplitude;
            if (source === "rest")
                wave.before[cell] = amplitude;
            if (source !== "gaussian")
                return;
            const [{ size, values }] = this.run.tables;
            for (let z = low[2]; z <= high[2]; z++)
                for (let y = low[1]; y <= high[1]; y++)
                    for (let x = low[0]; x <= high[0]; x++) {
                        const i = indexAt([x, y, z], grid);
                        const far = [x, y, z].map((c, axis) => Math.abs(c - at[axis]));
                        if (!wall[i] && far.every((c, axis) => c < size[axis]))
                            wave.now[i] = wave.before[i] =
                                values[(far[2] * size[1] + far[1]) * size[0] + far[0]];
                    }
        }
        /* What a source adds after the step: to its cell, or the mode's shape to
         * the cells of both sections. */
        add(wave, { cell }, age) {
            const { run: { speedOf, tables, sections, levels, shapes, across, grid, walls }, rules: { R } } = this;
            const wall = walls[this.version], put = (i, value) => {
                if (!wall[i])
                    wave.now[i] = R(wave.now[i] + R(value));
            };
            if (tables.length > 0)
                put(cell, tables.find(({ speed }) => tables.length === 1 ||
                    speed === speedOf[this.version][cell]).values[age] ?? 0);
            sections?.forEach(([low, high], s) => {
                for (let z = low[2]; z <= high[2]; z++)
                    for (let y = low[1]; y <= high[1]; y++)
                        for (let x = low[0]; x <= high[0]; x++)
                            put(indexAt([x, y, z], grid), across.reduce(
                                (value, axis, a) => value * shapes[a][[x, y, z][axis] - low[axis]],
                                levels[s][age - 1]));
            });
        }
        advance() {
            const { grid, wave: { source } } = this.run, M = this.medium(this.version);
            this.step++;
            for (const wave of this.waves) {
                const sent = this.emission(wave, this.step - 1);
                if (!sent)
                    continue;
                const reach = this.reachOf(sent), { now, before } = wave;
                const edges = wave.edges.filter(({ layer: { axis, low, sign } }) => reach >= (
                    sign > 0 ? low - sent.at[axis] : sent.at[axis] - DEPTH + 1));
                this.rows(sent, [[0, 0, 0], grid.map(n => n - 1)], (first, last, y, z) => {
                    const row = z * grid[1] + y, begin = row * grid[0];
                    stepRow(M, now, before, row, begin + first, begin + last);
                });
                if (edges.length)
                    this.rules.vanish(M, edges, wave.now, wave.before);
                [wave.now, wave.before] = [wave.before, wave.now];
                if (source === "ricker" || source === "signal" || source === "mode")
                    this.add(wave, sent, this.step - sent.step);
            }
            this.enter(this.versionAt(this.step));
        }
        /* First arrivals, of the first emission: |z| reaches the level. */
        find(wave) {
            const { level, lifetime, arrival, region, grid: [nx, ny] } = this.run;
            const { now, sent: [first] } = wave, at = arrival.get(wave.number);
            if (!this.finds || !at || !first || this.step - first.step > lifetime ||
                this.emission(wave, this.step - 1) !== first)
                return;
            this.rows(first, region, (from, to, y, z) => {
                let i = (z * ny + y) * nx + from, k = numberOf(this.run, [from, y, z]);
                for (const end = i + to - from; i <= end; i++, k++)
                    if (at[k] < 0 && (now[i] >= level || now[i] <= -level) && now[i] !== 0)
                        at[k] = this.step;
            });
        }
        /* Of the recorded region, rounded as hamon-pack --keep-bits did. */
        crc({ now }) {
            const { proof: { keepBits, region: [low, high] }, grid: [nx, ny] } = this.run;
            const each = now.BYTES_PER_ELEMENT / 4;
            const drop = keepBits ? (each === 1 ? 23 : 52) - keepBits : 0;
            let words = new Uint32Array(now.buffer);
            if (drop > 0 && each === 1)
                words = words.map(word => word + (1 << drop - 1) - 1 + (word >>> drop & 1) & -1 << drop);
            else if (drop > 0)
                words = new Uint32Array(new BigUint64Array(now.buffer).map(word => BigInt.asUintN(
                    drop, ~0n) ^ (word + (1n << BigInt(drop - 1)) - 1n + (word >> BigInt(drop) & 1n) |
                    BigInt.asUintN(drop, ~0n))).buffer);
            let crc = 0;
            for (let z = low[2]; z <= high[2]; z++)
                for (let y = low[1]; y <= high[1]; y++)
                    crc = crc32c(crc, words, ((z * ny + y) * nx + low[0]) * each,
                                 (high[0] - low[0] + 1) * each);
            return crc;
        }
        save() {
            return { step: this.step,
                     waves: this.waves.map(wave => [wave.number, this.stateOf(wave).map(of => of.slice())]) };
        }
        load(saved) {
            this.step = saved.step;
            this.version = this.versionAt(saved.step);
            const states = new Map(saved.waves);
            for (const wave of this.waves)
                this.stateOf(wave).forEach((of, k) => of.set(states.get(wave.number)[k]));
        }
    }

    /* ---- what pictures show of a generation ---- */
    /* The wave of this number, or the sum of all. */
    const amplitudes = (sim, number) => {
        const one = sim.waves.find(wave => String(wave.number) === number);
        if (one)
            return one;
        const now = new Float64Array(sim.waves[0].now.length), before = now.slice();
        for (const wave of sim.waves)
            for (let i = 0; i < now.length; i++) {
                now[i] += wave.now[i];
                before[i] += wave.before[i];
            }
        return { now, before };
    };
    /* Central differences (eqs 18, 19) with the stencil's neighbours and
     * weights: wave_gradient of wave.h, but for the order of the sums. */
    const WEIGHTS = { 5: [0, 1 / 2], 7: [0, 1 / 2], 9: [0, 1 / 3, 1 / 12],
                      27: [0, 16 / 72, 4 / 72, 1 / 72] };
    const slope = (M, z, i) => {
        const count = M.points.length, g = [0, 0, 0];
        if (M.wall[i])
            return 0;
        if (!M.slopes) {
            M.places = new Int32Array(M.wall.length).fill(-1);
            M.others.forEach((cell, k) => { M.places[cell] = k; });
            M.slopes = Float64Array.from(M.points.flatMap(
                point => point.map(part => part * WEIGHTS[M.kind][point.filter(Boolean).length])));
        }
        for (let k = 0, at = M.places[i]; k < count; k++) {
            const j = at < 0 ? i + M.offsets[k] : M.near[at * count + k];
            const value = M.free && M.wall[j] ? z[i] : z[j];
            for (let axis = 0; axis < 3; axis++)
                g[axis] += M.slopes[3 * k + axis] * value;
        }
        return Math.sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    };
    /* First arrivals, or errors or causes of headings, in a layer of the region;
     * NaN: none. */
    const stillOf = (run, { field, wave }, at) => {
        const { region: [low, high], axes: [right, down, along] } = run, values = [];
        const size = [0, 1, 2].map(axis => high[axis] - low[axis] + 1);
        const stride = [1, size[0], size[0] * size[1]], of = run.fronts.get(field) || run.arrival.get(Number(wave));
        for (let v = 0; v < size[down]; v++)
            for (let u = 0; u < size[right]; u++) {
                const value = of[u * stride[right] + v * stride[down] + (at - low[along]) * stride[along]];
                values.push(field === "arrival" && value < 0 ? NaN : value);
            }
        return Float64Array.from(values);
    };
    const fieldOf = (sim, { field, wave }, at) => {
        const { run, run: { grid: [nx, ny], region: [low, high], axes: [right, down, along] } } = sim;
        if (field === "arrival" || run.fronts.has(field))
            return stillOf(run, { field, wave }, at);
        const stride = [1, nx, nx * ny], { now, before } = amplitudes(sim, wave);
        const M = field === "amplitude" ? null : sim.medium(sim.version);
        const wide = high[right] - low[right] + 1, tall = high[down] - low[down] + 1;
        const values = new Float64Array(wide * tall);
        for (let v = 0, k = 0; v < tall; v++)
            for (let u = 0; u < wide; u++, k++) {
                const i = (low[right] + u) * stride[right] + (low[down] + v) * stride[down] +
                    at * stride[along];
                values[k] = !M ? now[i] : slope(M, now, i) *
                    (field === "flux" ? Math.abs(now[i] - before[i]) : 1);
            }
        return values;
    };
    /* A layer of the map, or of all (−1) the value farthest from 0, of arrivals the
     * first. */
    const plane = (sim, view, layer) => {
        const { map, axes: [, , along], region: [low, high] } = sim.run;
        const values = fieldOf(sim, view, layer < 0 ? low[along] : map[0][along] + layer);
        for (let at = low[along] + 1; layer < 0 && at <= high[along]; at++)
            fieldOf(sim, view, at).forEach((value, i) => {
                values[i] = view.field === "arrival" ? (value >= values[i] ? values[i] : value) :
                    Math.abs(value) > Math.abs(values[i] || 0) ? value : values[i];
            });
        return values;
    };

    /* ---- the comparison with the recording ---- */
    /* Computes every generation to the last row. At each row it yields a row, a
     * wave's number and its checksum; `wrong` gets the waves whose first arrivals
     * differ. */
    const verify = function* (sim, wrong) {
        const { run } = sim, { steps } = run.proof, last = steps.at(-1);
        sim.finds = run.level !== undefined;
        for (const { number, sent: [first] } of sim.finds ? sim.waves : [])
            run.arrival.get(number)?.forEach((_, k, at) => {
                at[k] = first?.step <= last && placeOf(run, k) === first.cell &&
                    !run.walls[sim.versionAt(first.step)][first.cell] ? first.step : -1;
            });
        for (let row = 0; ; sim.advance()) {
            yield steps[row] === sim.step ? sim.waves.map(wave => [row, wave.number, sim.crc(wave)]) : [];
            row += steps[row] === sim.step;
            if (sim.step >= last)
                break;
        }
        for (const { wave, sum } of run.arrivals) {
            const steps = new Uint32Array(run.arrival.get(wave).buffer);
            if (sim.waves.some(({ number }) => number === wave) && crc32c(0, steps, 0, steps.length) !== sum)
                wrong.push(wave);
        }
    };

    /* The checksum of bytes with the checksum a and then as many with b: a is
     * multiplied by x^(8·bytes), modulo the polynomial. */
    const times = (a, b) => {
        let product = 0;
        for (let bit = 31; bit >= 0; bit--) {
            product ^= a >>> bit & 1 ? b : 0;
            b = b & 1 ? b >>> 1 ^ 0x82f63b78 : b >>> 1;
        }
        return product;
    };
    const combine = (a, b, bytes) => {
        for (let n = bytes, power = 1 << 23; n > 0; n = Math.floor(n / 2), power = times(power, power))
            a = n % 2 ? times(power, a) : a;
        return (a ^ b) >>> 0;
    };
    /* Compares checksums of verify, which come of several waves in any order. */
    class Proof {
        constructor(run) {
            Object.assign(this, { run, all: 0, equal: 0, first: null, parts: new Map() });
            const [low, high] = run.proof.region;
            this.bytes = [0, 1, 2].reduce((n, a) => n * (high[a] - low[a] + 1),
                                          run.wave.precision === "single" ? 4 : 8);
        }
        take([row, number, sum]) {
            const { run: { crc, checked }, parts } = this, [[of, sums]] = crc;
            if (of !== "all") {
                this.compare(row, number, sum, crc.find(([wave]) => wave === number)[1][row], 1);
                return;
            }
            const known = parts.get(row) || new Map();
            parts.set(row, known.set(number, sum));
            if (known.size < checked.length)
                return;
            parts.delete(row);
            const [first, ...others] = checked.map(wave => known.get(wave));
            this.compare(row, of, others.reduce((a, b) => combine(a, b, this.bytes), first), sums[row], checked.length);
        }
        compare(row, wave, sum, recorded, count) {
            const step = this.run.proof.steps[row], equal = sum === recorded;
            this.all += recorded ? count : 0;
            this.equal += recorded && equal ? count : 0;
            if (recorded && !equal && !(this.first?.step <= step))
                this.first = { wave, step };
        }
    }
    return { unpack, widen, indexAt, cellAt, placeOf, numberOf, Medium, Sim, amplitudes, fieldOf, plane, hasOther, verify, Proof };
};
if (typeof module !== "undefined")
    module.exports = makeHamon;
