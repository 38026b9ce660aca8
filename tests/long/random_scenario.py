# SPDX-License-Identifier: MIT
"""random_scenario.py METHOD SEED: prints a valid scenario with agents of this
and other methods on a random map with random settings."""
import random
import sys

WAVED = ("wave", "wave-pincer")


def rows(r, width, height):
    share = r.choice((0, 0.05, 0.15, 0.3))
    return ["".join("@" if r.random() < share else "."
                    for _ in range(width)) for _ in range(height)]


def clear(rows_of, x, y):
    """Clears a block around a position, so that nobody starts in a wall."""
    for j in range(max(0, y - 1), min(len(rows_of), y + 2)):
        row = rows_of[j]
        rows_of[j] = row[:max(0, x - 1)] + "." * len(
            row[max(0, x - 1):x + 2]) + row[x + 2:]


def quoted(values):
    return ", ".join('"%s"' % value for value in values)


def box(r, size):
    low = [r.randrange(n) for n in size]
    high = [min(n - 1, a + r.randrange(6)) for a, n in zip(low, size)]
    return low + high


def wave(r, deep, method):
    own = ["leading-edge", "threshold", "capped-exponential", "first-peak"]
    if method != "wave-pincer":
        own.append("laplace")
    wave_of = {"lifetime": r.choice((25, 40, 60, 90)), "count": 1}
    restart = r.choice(("lifetime", "lifetime", "on-arrival", "received"))
    if restart != "on-arrival":
        wave_of["count"] = r.randrange(1, 4)
    wave_of["restart"] = '"%s"' % restart
    wave_of["walls"] = '"%s"' % r.choice(("free", "fixed"))
    wave_of["precision"] = '"%s"' % r.choice(("single", "double"))
    wave_of["denormals"] = '"%s"' % r.choice(("flush", "keep"))
    wave_of["delta"] = r.choice((0.1, 0.2, 0.25))
    wave_of["damping"] = r.choice((0.0, 0.0, 0.01))
    wave_of["source"] = '"%s"' % r.choice(
        ("impulse", "impulse", "rest", "gaussian", "ricker"))
    wave_of["amplitude"] = r.choice((1.0, 1e6, 2.0 ** 20))
    if not deep and r.random() < 0.25:
        wave_of["stencil"] = '"9-point"'
    elif deep and r.random() < 0.25:
        wave_of["stencil"] = '"27-point"'
    elif r.random() < 0.3:
        wave_of["speed_form"] = '"conservative"'
    arrival = {"detector": '"%s"' % r.choice(own),
               "heading": '"%s"' % r.choice(
                   ("paper", "signed", "flux", "arrival-time")),
               "threshold": r.choice((1e-3, 1e-5)), "p": 1.5, "eta": 0.3,
               "older_waves": '"%s"' % r.choice(("taken", "ignored"))}
    return wave_of, arrival


def group(name, values):
    return "%s = { %s };" % (
        name, " ".join("%s = %s;" % item for item in values.items()))


def agent(r, method, size, map_of, number):
    at = [r.randrange(n) for n in size]
    clear(map_of[at[2] if len(size) > 2 else 0], at[0], at[1])
    place = '"random"' if r.random() < 0.3 else "[%s]" % ", ".join(
        "%.1f" % a for a in at)
    text = 'name = "a%d"; method = "%s"; at = %s; speed = %s;' % (
        number, method, place, r.choice((0.05, 0.1, 0.15, 0.25, 0.5)))
    if method in ("wave", "lee") and r.random() < 0.4:
        text += ' steering = "%s";' % random.choice(('every-step', 'every-cell'))
    if method in ("relay", "relay-complete", "astar", "dijkstra") and r.random() < 0.3:
        text += ' goal = "random";'
    if r.random() < 0.2:
        text += " count = 3;"
        text = text.replace(place, '"random"', 1)
    return "{ " + text + " }"


def main(method, seed):
    r = random.Random("%s %s" % (method, seed))
    deep = not method.startswith("relay") and r.random() < 0.2
    size = [r.randrange(12, 40), r.randrange(12, 32)]
    if deep:
        size = [r.randrange(8, 14), r.randrange(8, 14), r.randrange(3, 6)]
    map_of = [rows(r, *size[:2]) for _ in range(size[2] if deep else 1)]
    target = [r.randrange(n) for n in size]
    clear(map_of[target[2] if deep else 0], target[0], target[1])
    places = []
    for _ in range(3):
        place = [r.randrange(n) for n in size]
        clear(map_of[place[2] if deep else 0], place[0], place[1])
        places.append("[%s]" % ", ".join("%.1f" % p for p in place))
    methods = [method] * r.randrange(1, 3)
    others = ["lee", "dijkstra", "astar", "fast-marching", "dstar-lite",
              "pincer", "wave"] + ([] if deep else ["relay"])
    if r.random() < 0.6:
        methods.append(r.choice(others))
    agents = [agent(r, m, size, map_of, i) for i, m in enumerate(methods)]
    steps = r.randrange(40, 140)
    fields = [f for f in ("amplitude", "gradient", "arrival")
              if r.random() < 0.6] + ["agents"]
    waves = any(m in WAVED for m in methods) or r.random() < 0.3
    if not waves:
        fields = ["agents"]
    print('title = "random %s %s";' % (method, seed))
    layers = ["( " + quoted(layer) + " )" for layer in map_of]
    print("map = { %s = %s };" % (
        ("layers", "( " + ",\n".join(layers) + " )") if deep
        else ("rows", layers[0])))
    print("steps = %d; seed = %d;" % (steps, r.randrange(1 << 31)))
    if waves:
        for name, values in zip(("wave", "arrival"), wave(r, deep, method)):
            print(group(name, values))
    motion = r.choice(("still", "random", "waypoints", "evade",
                       "farthest-safe"))
    target_of = {"at": "[%s]" % ", ".join("%.1f" % a for a in target),
                 "motion": '"%s"' % motion, "speed": r.choice((0.05, 0.1))}
    if motion == "waypoints":
        target_of["waypoints"] = "( %s )" % ", ".join(places)
    print(group("target", target_of))
    print("agents = ( %s );" % ",\n".join(agents))
    print(group("pursuit", {
        "replan": r.choice((1, 5, 15)), "ties": '"%s"' % r.choice(
            ("random", "fixed")),
        "measure": '"%s"' % r.choice(("length", "steps")),
        "moves": r.choice((6, 26) if deep else (4, 8)),
        "stop": '"%s"' % r.choice(
            ("all-captured", "any-captured", "never", "never"))}))
    regions = []
    for key, values in (("speed", (0.5, 0.8)), ("cost", (0.5, 2.0, 5.0)),
                        ("one_way", ('"east"', '"north"'))):
        if r.random() < 0.3:
            regions.append("{ box = %s; %s = %s; }" % (
                box(r, size), key, r.choice(values)))
    print("regions = ( %s );" % ", ".join(regions))
    events = ["{ step = %d; box = %s; set = \"%s\"; }" % (
        r.randrange(0, steps), box(r, size), r.choice(("wall", "free")))
        for _ in range(r.choice((0, 0, 1, 3)))]
    print("events = ( %s );" % ", ".join(events))
    record = {"fields": "( %s )" % quoted(fields),
              "every": r.choice((1, 1, 1, 3))}
    if "amplitude" in fields and r.random() < 0.2:
        record.update(keyframes=r.choice((4, 16)), every=1)
    elif len(fields) > 1 and r.random() < 0.2:
        record["region"] = "[%s]" % ", ".join(
            str(v) for v in [0] * len(size) + [n // 2 for n in size])
    print(group("record", record))


if __name__ == "__main__":
    main(*sys.argv[1:])
