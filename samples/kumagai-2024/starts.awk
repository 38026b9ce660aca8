# SPDX-License-Identifier: MIT
# -v count=30 -v chases="still moving closing slow": that many starts of the
# pursuer for each of these chases, as problems of hamon-compare, from
# kumagai-floors.3dmap. Starts are free cells at the height of the chase's own
# start and 20 cells or more from the target, drawn
# by random.awk. Targets, events and regions are those of still.cfg, moving.cfg, closing.cfg and slow.cfg.
BEGIN {
    print "version 1"
    still = "target = { at = [40.0, 42.0, 44.0]; };"
    settings["still"] = still
    settings["moving"] = "target = { at = [24.0, 44.0, 18.0]; motion = \"waypoints\"; speed = 0.055; waypoints = ([24.0, 30.0, 18.0], [24.0, 22.0, 18.0], [24.0, 22.0, 44.0], [32.0, 20.0, 44.0], [37.0, 20.0, 44.0], [46.0, 31.0, 44.0], [46.0, 37.0, 44.0], [42.0, 42.0, 44.0], [46.0, 37.0, 44.0], [46.0, 31.0, 44.0], [37.0, 20.0, 44.0], [32.0, 20.0, 44.0], [24.0, 22.0, 44.0], [24.0, 22.0, 18.0], [24.0, 30.0, 18.0], [24.0, 44.0, 18.0]); };"
    settings["closing"] = still " events = ( { step = 0; box = [34, 38, 40, 34, 42, 49]; set = \"free\"; }, { step = 700; box = [34, 38, 40, 34, 42, 49]; set = \"wall\"; } );"
    settings["slow"] = still " regions = ( { box = [25, 16, 20, 33, 29, 44]; speed = 0.3; } );"
}
FNR > 1 && $3 == 18 { wall[$1, $2] = 1 }
END {
    classes = split(chases, class, " ")
    for (c = 1; c <= classes; c++) {
        state = 1
        for (i = 1; i <= count; i++) {
            x0 = class[c] == "moving" ? 24 : 40
            y0 = class[c] == "moving" ? 44 : 42
            z0 = class[c] == "moving" ? 18 : 44
            do {
                x = draw(0, 49)
                y = draw(0, 49)
            } while ((x, y) in wall || (x - x0) ^ 2 + (y - y0) ^ 2 + (18 - z0) ^ 2 < 400)
            printf "%s-%d %s kumagai-floors.3dmap 926d3305 - steps = 9000; seed = %d; %s agents = ( { at = [%d.0, %d.0, 18.0]; speed = 0.05; } ); pursuit = { capture_radius = 3.0; moves = 26; };\n", \
                class[c], i, class[c], i, settings[class[c]], x, y
        }
    }
}
