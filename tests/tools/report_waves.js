// SPDX-License-Identifier: MIT
// report_waves.js SIM [--ulp] PAGE...: computes the waves of pages of
// hamon-report by their own script, without a browser, and prints how many
// generations equal the recording, one run a line; with --ulp after a change
// of delta by one unit in the last place.
const { readFileSync } = require("fs"), { inflateRawSync } = require("zlib");
const { resolve } = require("path");
const [sim, ...pages] = process.argv.slice(2);
const Hamon = require(resolve(sim))();
const ulp = pages[0] === "--ulp" && pages.shift();
for (const page of pages) {
    const text = readFileSync(page, "utf8");
    const found = text.matchAll(/<script type="application\/json"[^>]*>([^]*?)<\/script>/g);
    const runs = Array.from(found, ([, data]) => JSON.parse(data));
    const bytes = packed => inflateRawSync(Buffer.from(packed, "base64"));
    for (const run of runs) {
        if (run.why) {
            console.log(`${page}: pictures: ${run.why}`);
            continue;
        }
        Hamon.unpack(run, bytes(run.packed), bytes(run.map ?? runs[run.mapOf].map));
        if (ulp) {
            const bits = new BigUint64Array(Float64Array.of(run.wave.delta).buffer);
            bits[0] += run.wave.precision === "single" ? 1n << 29n : 1n;
            [run.wave.delta] = new Float64Array(bits.buffer);
        }
        const begin = Date.now(), half = run.checked.length >> 1;
        const compute = () => {
            const proof = new Hamon.Proof(run), wrong = [];
            for (const part of [run.checked.slice(half), run.checked.slice(0, half)])
                for (const sums of Hamon.verify(new Hamon.Sim(Hamon.widen(run), part), wrong))
                    sums.forEach(sum => proof.take(sum));
            return { proof, wrong };
        };
        let { proof, wrong } = compute();
        if (proof.first && Hamon.hasOther(run)) {
            run.wave.denormals = "early";
            const again = compute();
            if (again.proof.first)
                run.wave.denormals = "flush";
            else
                ({ proof, wrong } = again);
        }
        const spent = process.env.HAMON_TIMES ? ` in ${Date.now() - begin} ms` : "";
        const more = wrong.length ? `, arrivals ${wrong}` : "", { first } = proof;
        const apart = first ? `, first wave ${first.wave} at step ${first.step}` :
            run.wave.denormals === "early" ? ", by the rule of arm64" : "";
        console.log(`${page}: ${proof.equal} of ${proof.all} generations equal${apart}${more}${spent}`);
    }
}
