// SPDX-License-Identifier: MIT
// bench/peers/pathfinding.js FOLDER SIDE ROUNDS: npm's `pathfinding` on the maps
// and queries of bench/peers/tcod, with diagonal moves that cut no corner: the
// same problem as ours. One line for each map and method: CPU milliseconds a query
// (median of the rounds), and how many lengths equal those of the queries' file.
const fs = require('fs');
const PF = require('pathfinding');
const [folder, side, rounds] = [process.argv[2], +process.argv[3], +process.argv[4]];
const methods = [
    ['dijkstra 8', PF.DijkstraFinder, {}],
    ['astar 8', PF.AStarFinder, { heuristic: PF.Heuristic.octile }],
];

function median(values) {
    return values.sort((a, b) => a - b)[values.length >> 1];
}

for (const map of ['random', 'rooms', 'serpentine', 'open']) {
    const bytes = fs.readFileSync(`${folder}/${map}.map`);
    const rows = [];
    for (let y = 0; y < side; y++)
        rows.push(Array.from(bytes.subarray(y * side, (y + 1) * side)));
    const grid = new PF.Grid(rows);
    const queries = fs.readFileSync(`${folder}/${map}.queries`, 'utf8').trim().split('\n')
        .map(line => line.split(' ').map(Number));
    for (const [name, Finder, options] of methods) {
        const finder = new Finder({ diagonalMovement: PF.DiagonalMovement.OnlyWhenNoObstacles, ...options });
        const times = [];
        let equal = 0;
        for (let round = 0; round < rounds; round++) {
            let sum = 0;
            for (const [x0, y0, x1, y1, length] of queries) {
                const copy = grid.clone(); // each query needs a new grid; not timed
                const begun = process.cpuUsage();
                const path = finder.findPath(x0, y0, x1, y1, copy);
                const used = process.cpuUsage(begun);
                sum += (used.user + used.system) / 1000;
                const own = PF.Util.pathLength(path);
                equal += Math.abs(own - length) <= 1e-5 * length;
            }
            times.push(sum / queries.length);
        }
        console.log(map.padEnd(11), name.padEnd(12), median(times).toFixed(2).padStart(10),
            `${Math.floor(100 * equal / rounds / queries.length)}%`.padStart(6));
    }
}
