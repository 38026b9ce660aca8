/* SPDX-License-Identifier: MIT */
/* bench/peers/detour FOLDER SIDE ROUNDS [PROBLEMS.scen...]: A* over the cells
 * (8 moves, no corner cut) compared with Detour over a mesh that Recast makes
 * of the same cells, in one process, one query of ours and one of Detour's in
 * turn: on the maps and queries that bench/peers/tcod wrote into FOLDER, then
 * on the maps of public problem files, PROBLEMS of each, evenly spread. A line
 * a map:
 *
 *   us a query ours (A*), theirs (findPath and findStraightPath), theirs over
 *   ours (median of the rounds, minimum, maximum); the mean length of the
 *   paths over the exact shortest ones, ours and theirs, and the minimum and
 *   maximum of theirs (nan if it finds none); the share of the queries for
 *   which it finds a path; the mesh: milliseconds to make it, and its polygons
 *
 * Detour solves another problem: its A* searches polygons, from the middle of
 * one edge to the middle of the next, and its path is then shortened at any
 * angle inside the polygons found. The mesh is made before the queries, and
 * again if the map changes; ours searches the cells directly. The polygons of
 * both ends are found before the measurement.
 *
 * Recast is set to follow the cells exactly: one voxel a cell, a walker without
 * a radius, outlines not simplified, no region dropped; tiles of 64 × 64,
 * because its indices have 16 bits; monotone regions, because with its
 * watershed it does not finish on scattered walls (a minute, in tiles of 32 to
 * 128). */
#include <DetourNavMesh.h>
#include <DetourNavMeshBuilder.h>
#include <DetourNavMeshQuery.h>
#include <Recast.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

extern "C" {
#include "base/memory.h"
#include "search/exact.h"
#include "search/problems.h"
#include "search/search.h"
#include "world/maps/map.h"
}

namespace
{

const int PROBLEMS = 20;      /* of a file */
const int NODES_MOST = 65535; /* the maximum number for Detour */
const int TILE = 64;          /* cells a side of a tile */
const int TILE_BORDER = 3;    /* cells of its neighbours that it reads */

double milliseconds()
{
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

void must(enum status status, const error &error)
{
    if (status) {
        fprintf(stderr, "detour: %s\n", error.message);
        exit(status);
    }
}

void must(bool true_of_it, const char *what)
{
    if (!true_of_it) {
        fprintf(stderr, "detour: %s\n", what);
        exit(STATUS_FAILED);
    }
}

/* ---- the mesh ---- */

struct Mesh {
    std::unique_ptr<dtNavMesh, void (*)(dtNavMesh *)> detour{ nullptr,
                                                              dtFreeNavMesh };
    int polygons = 0;
    double milliseconds = 0;
};

/* The polygons of the tile's cells, null if Recast fails. */
std::unique_ptr<rcPolyMesh, void (*)(rcPolyMesh *)>
make_polygons(const terrain &terrain, int tx, int ty)
{
    const grid &grid = terrain.grid;
    rcContext silent(false);
    int side = TILE + 2 * TILE_BORDER;
    int x0 = tx * TILE - TILE_BORDER, y0 = ty * TILE - TILE_BORDER;
    const float low[3] = { (float)x0, 0, (float)y0 };
    const float high[3] = { (float)(x0 + side), 9, (float)(y0 + side) };
    rcHeightfield floors;
    rcCompactHeightfield open;
    rcContourSet outlines;
    std::unique_ptr<rcPolyMesh, void (*)(rcPolyMesh *)> polygons(
        rcAllocPolyMesh(), rcFreePolyMesh);
    bool made =
        rcCreateHeightfield(&silent, floors, side, side, low, high, 1, 1);
    for (int y = 0; y < side && made; y++)
        for (int x = 0; x < side && made; x++)
            if (grid_holds(&grid, x0 + x, y0 + y, 0) &&
                !terrain.wall[grid_index(&grid, x0 + x, y0 + y, 0)])
                made =
                    rcAddSpan(&silent, floors, x, y, 0, 1, RC_WALKABLE_AREA, 1);
    made = made && rcBuildCompactHeightfield(&silent, 3, 1, floors, open) &&
           rcBuildRegionsMonotone(&silent, open, TILE_BORDER, 0, 0) &&
           rcBuildContours(&silent, open, 0, 0, outlines) &&
           rcBuildPolyMesh(&silent, outlines, DT_VERTS_PER_POLYGON, *polygons);
    if (!made)
        polygons.reset();
    return polygons;
}

/* Adds the tile to the mesh; an empty tile is not added. */
bool add_tile(dtNavMesh *mesh, rcPolyMesh &polygons, int tx, int ty)
{
    unsigned char *bytes = nullptr;
    int size = 0;
    dtNavMeshCreateParams tile{};
    if (!polygons.npolys)
        return true;
    std::fill_n(polygons.flags, polygons.npolys, (unsigned short)1);
    tile.verts = polygons.verts, tile.vertCount = polygons.nverts;
    tile.polys = polygons.polys, tile.polyCount = polygons.npolys;
    tile.polyAreas = polygons.areas, tile.polyFlags = polygons.flags;
    tile.nvp = polygons.nvp;
    tile.walkableHeight = 3, tile.walkableClimb = 1;
    tile.tileX = tx, tile.tileY = ty;
    std::copy_n(polygons.bmin, 3, tile.bmin);
    std::copy_n(polygons.bmax, 3, tile.bmax);
    tile.cs = polygons.cs, tile.ch = polygons.ch;
    tile.buildBvTree = true;
    return dtCreateNavMeshData(&tile, &bytes, &size) &&
           dtStatusSucceed(
               mesh->addTile(bytes, size, DT_TILE_FREE_DATA, 0, nullptr));
}

Mesh mesh_of(const terrain &terrain)
{
    Mesh mesh;
    double begun = milliseconds();
    int across = (terrain.grid.nx + TILE - 1) / TILE;
    int down = (terrain.grid.ny + TILE - 1) / TILE;
    dtNavMeshParams params{};
    params.tileWidth = params.tileHeight = TILE;
    params.maxTiles = across * down;
    params.maxPolys = 1 << 14; /* a tile; it and the tiles share 22 bits */
    mesh.detour.reset(dtAllocNavMesh());
    must(dtStatusSucceed(mesh.detour->init(&params)),
         "Detour takes no map of so many tiles");
    for (int ty = 0; ty < down; ty++)
        for (int tx = 0; tx < across; tx++) {
            auto polygons = make_polygons(terrain, tx, ty);
            must(polygons && polygons->npolys <= params.maxPolys &&
                     add_tile(mesh.detour.get(), *polygons, tx, ty),
                 "Recast makes no mesh of a tile");
            mesh.polygons += polygons->npolys;
        }
    mesh.milliseconds = milliseconds() - begun;
    return mesh;
}

/* ---- the queries ---- */

struct Ends {
    Ends(size_t start_cell, size_t goal_cell) : from(start_cell), to(goal_cell)
    {
    }
    size_t from, to;
    double exact = 0;                    /* the shortest path's length */
    float start[3] = {}, goal[3] = {};   /* in the coordinates of Recast */
    dtPolyRef start_at = 0, goal_at = 0; /* their polygons */
};

struct Walker { /* the data of a query of Detour */
    std::unique_ptr<dtNavMeshQuery, void (*)(dtNavMeshQuery *)> query{
        dtAllocNavMeshQuery(), dtFreeNavMeshQuery
    };
    dtQueryFilter filter;
    std::vector<dtPolyRef> polygons = std::vector<dtPolyRef>(NODES_MOST);
    std::vector<float> points = std::vector<float>(3 * NODES_MOST);
};

/* The shortened path's length, INFINITY if the goal is not reached. */
double ask_detour(Walker &walker, const Ends &ends)
{
    int crossed = 0, corners = 0;
    dtStatus status = walker.query->findPath(
        ends.start_at, ends.goal_at, ends.start, ends.goal, &walker.filter,
        walker.polygons.data(), &crossed, NODES_MOST);
    if (dtStatusFailed(status) || dtStatusDetail(status, DT_PARTIAL_RESULT))
        return INFINITY;
    status = walker.query->findStraightPath(
        ends.start, ends.goal, walker.polygons.data(), crossed,
        walker.points.data(), nullptr, nullptr, &corners, NODES_MOST);
    if (dtStatusFailed(status) || dtStatusDetail(status, DT_PARTIAL_RESULT))
        return INFINITY;
    double length = 0;
    for (const float *at = walker.points.data(); --corners > 0; at += 3)
        length += std::hypot(at[3] - at[0], at[5] - at[2]);
    return length;
}

void place(Walker &walker, const grid &grid, size_t cell, float at[3],
           dtPolyRef *polygon)
{
    const float reach[3] = { .25f, 2, .25f };
    int where[GRID_AXES];
    float nearest[3];
    grid_cell(&grid, cell, where);
    at[0] = (float)where[0] + .5f, at[1] = 1, at[2] = (float)where[1] + .5f;
    walker.query->findNearestPoly(at, reach, &walker.filter, polygon, nearest);
    must(*polygon, "a free cell is on no polygon");
}

double middle_of(std::vector<double> numbers)
{
    std::sort(numbers.begin(), numbers.end());
    return numbers[numbers.size() / 2];
}

void compare(const char *name, const terrain &terrain, std::vector<Ends> all,
             int rounds)
{
    const grid &grid = terrain.grid;
    struct passages *passages;
    search_workspace *ours;
    struct exact *exact;
    error error;
    Walker walker;
    Mesh mesh = mesh_of(terrain);
    must(dtStatusSucceed(walker.query->init(mesh.detour.get(), NODES_MOST)),
         "no memory for Detour's nodes");
    must(passages_new(&terrain, 8, MEASURE_LENGTH, &passages, &error), error);
    must(search_workspace_new(search_find("astar"), passages, &terrain, &ours,
                              &error),
         error);
    must(exact_new(&terrain, &exact, &error), error);
    for (Ends &ends : all) {
        exact_solve(exact, ends.to);
        ends.exact = exact_distance(exact, ends.from);
        place(walker, grid, ends.from, ends.start, &ends.start_at);
        place(walker, grid, ends.to, ends.goal, &ends.goal_at);
    }
    exact_release(exact);

    std::vector<double> mine, theirs, ratio;
    double length = 0, their_length = 0, longest = NAN, shortest = NAN;
    int asked = 0, answered = 0;
    for (int round = 0; round < rounds; round++) {
        double spent = 0, they_spent = 0;
        for (const Ends &ends : all) {
            const search_query query = { ends.from, ends.to, nullptr };
            search_result result;
            double begun = milliseconds();
            search_run(ours, &query, &result);
            double middle = milliseconds();
            double their = ask_detour(walker, ends) / ends.exact;
            they_spent += milliseconds() - middle;
            spent += middle - begun;
            length += result.length / ends.exact;
            asked++;
            if (std::isfinite(their)) {
                answered++, their_length += their;
                longest = std::fmax(longest, their);
                shortest = std::fmin(shortest, their);
            }
        }
        mine.push_back(1e3 * spent / (double)all.size());
        theirs.push_back(1e3 * they_spent / (double)all.size());
        ratio.push_back(they_spent / spent);
    }
    printf("%-15s %9.1f %9.1f %7.3f %7.3f %7.3f %7.4f %7.4f %7.4f %7.4f %4d%% "
           "%8.0f %6d\n",
           name, middle_of(mine), middle_of(theirs), middle_of(ratio),
           *std::min_element(ratio.begin(), ratio.end()),
           *std::max_element(ratio.begin(), ratio.end()), length / asked,
           answered ? their_length / answered : NAN, shortest, longest,
           100 * answered / asked, mesh.milliseconds, mesh.polygons);
    fflush(stdout);
    search_workspace_release(ours);
    passages_release(passages);
}

/* ---- the maps ---- */

FILE *open_file(const std::string &path)
{
    FILE *file = fopen(path.c_str(), "rb");
    if (!file) {
        perror(path.c_str());
        exit(STATUS_INPUT);
    }
    return file;
}

/* The files of bench/peers/tcod. */
void compare_made(const std::string &folder, const char *name, int side,
                  int rounds)
{
    terrain terrain;
    grid grid;
    error error;
    std::vector<Ends> all;
    int a[2], b[2];
    double length;
    must(grid_make(2, side, side, 1, &grid, &error), error);
    must(terrain_init(&terrain, &grid, &error), error);
    FILE *file = open_file(folder + "/" + name + ".map");
    must(fread(terrain.wall, 1, grid_cells(&grid), file) == grid_cells(&grid),
         "a map is too short");
    fclose(file);
    file = open_file(folder + "/" + name + ".queries");
    while (fscanf(file, "%d %d %d %d %lf", &a[0], &a[1], &b[0], &b[1],
                  &length) == 5)
        all.emplace_back(grid_index(&grid, a[0], a[1], 0),
                         grid_index(&grid, b[0], b[1], 0));
    fclose(file);
    compare(name, terrain, all, rounds);
    terrain_release(&terrain);
}

void compare_public(const char *path, int rounds)
{
    terrain terrain;
    problems problems;
    error error;
    char *map;
    std::vector<Ends> all;
    must(problems_load(path, &problems, &error), error);
    must(problems_map_path(&problems, &map, &error), error);
    must(map_load(map, nullptr, &terrain, &error), error);
    must(problems_fit(&problems, &terrain.grid, &error), error);
    for (int i = 0; i < PROBLEMS; i++) {
        const problem &problem =
            problems.items[(2 * (size_t)i + 1) * problems.count / PROBLEMS / 2];
        all.emplace_back(
            grid_index(&terrain.grid, problem.start[0], problem.start[1], 0),
            grid_index(&terrain.grid, problem.goal[0], problem.goal[1], 0));
    }
    std::string name(map);
    name = name.substr(name.rfind('/') + 1);
    compare(name.substr(0, name.rfind('.')).c_str(), terrain, all, rounds);
    memory_release(map);
    problems_release(&problems);
    terrain_release(&terrain);
}

} /* namespace */

int main(int count, char **arguments)
{
    int side = count > 3 ? atoi(arguments[2]) : 0;
    int rounds = count > 3 ? atoi(arguments[3]) : 0;
    if (side < 16 || rounds < 1) {
        fputs("usage: detour FOLDER SIDE ROUNDS [PROBLEMS.scen...]\n", stderr);
        return STATUS_INPUT;
    }
    printf("%-15s %9s %9s %7s %7s %7s %7s %7s %7s %7s %5s %8s %6s\n", "map",
           "us, ours", "Detour", "ratio", "least", "most", "length", "Detour",
           "least", "most", "found", "made, ms", "polyg.");
    for (const char *name : { "random", "rooms", "serpentine", "open" })
        compare_made(arguments[1], name, side, rounds);
    for (int i = 4; i < count; i++)
        compare_public(arguments[i], rounds);
    return STATUS_OK;
}
