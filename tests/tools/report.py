# SPDX-License-Identifier: MIT
# report.py PAGE RECORDING HOSTILE BESIDE FLOORS EDGE SWEEP [PICTURES]: opens pages
# in a headless Chromium, uses them as a reader would, and prints what is wrong.
# HOSTILE is the page of a recording whose title and names are attacks,
# BESIDE one of two recordings, of which the second ends earlier, FLOORS of a
# map with two floors, EDGE has pictures, SWEEP is a folder's. Pictures of the
# page for visual inspection are written to the folder PICTURES.
import re
import sys
import time
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

faults = []


def check(what, good, more=""):
    print(("good " if good else "BAD  ") + what, more)
    if not good:
        faults.append(what)


def browser(width, height, touch=False):
    options = webdriver.ChromeOptions()
    for word in ("headless=new", "no-sandbox", "disable-gpu", "no-first-run",
                 "disable-background-networking", "disable-dev-shm-usage"):
        options.add_argument("--" + word)
    options.set_capability("goog:loggingPrefs",
                           {"browser": "ALL", "performance": "ALL"})
    if touch:
        options.add_experimental_option("mobileEmulation", {"deviceMetrics": {
            "width": width, "height": height, "pixelRatio": 2.0,
            "touch": True}})
    driver = webdriver.Chrome(options=options)
    if not touch:
        driver.set_window_size(width, height)
    driver.set_script_timeout(30)
    return driver


def wait(driver, script, seconds=20):
    end = time.time() + seconds
    while time.time() < end:
        if driver.execute_script("return " + script):
            return True
        time.sleep(.05)
    return False


def dark(driver, on):
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
        {"name": "prefers-color-scheme", "value": "dark" if on else "light"}]})


def picture(driver, folder, name, height=None):
    if not folder:
        return
    size = driver.execute_script(
        "return [innerWidth, document.documentElement.scrollHeight]")
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": size[0], "height": min(size[1], height or size[1]),
        "deviceScaleFactor": 1.5, "mobile": False})
    time.sleep(.3)
    driver.save_screenshot(str(Path(folder) / (name + ".png")))
    driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


# The canvas as text, for comparisons.
CANVAS = "document.querySelector('canvas').toDataURL()"
PAINTED = ("document.querySelector('.viewer').dataset.painted === "
           "document.querySelector('.viewer').dataset.step")
STEP = "Number(document.querySelector('.viewer').dataset.step)"
CONTRAST = """
const parts = color => {
    const context = document.createElement('canvas').getContext('2d');
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
};
const light = color => {
    const [r, g, b] = parts(color).map(v => v / 255).map(
        v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b;
};
const behind = element => {
    for (; element; element = element.parentElement) {
        const color = getComputedStyle(element).backgroundColor;
        if (!color.endsWith(', 0)'))
            return color;
    }
};
let worst = [99, ''];
for (const element of document.querySelectorAll(
         'p, h1, h2, h3, li, dt, dd, td, th, legend, summary, output, span, a, ' +
         'figcaption, small, text, pre, button')) {
    if (!element.textContent.trim() || !element.getClientRects().length ||
        element.closest('noscript'))
        continue;
    const style = getComputedStyle(element);
    const ink = element.tagName === 'text' ? style.fill : style.color;
    const [a, b] = [light(ink), light(behind(element))].sort((x, y) => y - x);
    const contrast = (a + .05) / (b + .05);
    if (contrast < worst[0])
        worst = [contrast, element.tagName + ' ' + element.className + ' ' +
                 element.textContent.slice(0, 30)];
}
return worst;
"""


def requests(driver):
    import json
    found = []
    for entry in driver.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            found.append(message["params"]["request"]["url"])
    return found


def nothing_wrong(driver, page, name):
    check(name + ": the console is silent", *silence(driver))
    foreign = [url for url in requests(driver)
               if url.split("#")[0] != page.split("#")[0] and
               not url.startswith(("data:", "blob:null/", "about:blank"))]
    check(name + ": nothing is fetched", not foreign, foreign)


def silence(driver):
    said = [entry["message"] for entry in driver.get_log("browser")]
    return not said, said


def go(driver, step):
    driver.execute_script(
        "const s = document.querySelector('.scrub');"
        "s.value = arguments[0]; s.dispatchEvent(new Event('input'))", step)


def proof(driver, words, seconds=20):
    """Waits until all generations are computed."""
    wait(driver, "document.querySelector('.proof').dataset.over", seconds)
    said = driver.find_element(By.CLASS_NAME, "proof").text
    check("the page says: " + words, said == words, said)


def probed(driver, recording):
    """A click on the map pins a probe, whose series is the recording's."""
    import h5py
    stage = driver.find_element(By.CLASS_NAME, "stage")
    box = stage.rect
    ActionChains(driver).move_to_element_with_offset(
        stage, round(box["width"] * (13.5 / 24 - .5)),
        round(box["height"] * (2.5 / 8 - .5))).click().perform()
    under = driver.find_element(By.CLASS_NAME, "under").text
    with h5py.File(recording) as run:
        value = run["wave0"][60, 2, 13]
        check("the value under the pointer is the recorded one", under.replace(
            "−", "-").startswith(f"x 13, y 2: amplitude {value:.6g}"[:30]), under)
        wait(driver, "document.querySelector('.viewer').dataset.series")
        driver.execute_script(
            "window.saved = []; const made = URL.createObjectURL;"
            "URL.createObjectURL = blob => { blob.text().then("
            "text => saved.push(text)); return made(blob); };"
            "document.querySelector('.csv').click()")
        wait(driver, "saved.length")
        lines = driver.execute_script("return saved[0]").split()
        got = [[float(part) for part in line.split(",")] for line in lines[1:]]
        want = [[step, run["wave0"][step, 2, 13], run["wave1"][step, 2, 13]]
                for step in range(61)]
        check("the series of a probe are the recorded ones",
              lines[0] == "step,wave0,wave1" and got == want, got[-1])
    check("the address has the step and the probe", wait(
        driver, "location.hash.includes('probe=13,2')"),
        driver.execute_script("return location.hash"))


def sloped(driver, recording):
    """The gradient under the pointer is the recorded one."""
    import h5py
    step = 60  # a wave is there; where play was held depends on the machine
    go(driver, step)
    wait(driver, f"{STEP} === {step} && {PAINTED}")
    stage = driver.find_element(By.CLASS_NAME, "stage")
    box = stage.rect
    ActionChains(driver).move_to_element_with_offset(
        stage, round(box["width"] * (15.5 / 24 - .5)),
        round(box["height"] * (3.5 / 8 - .5))).perform()
    said = driver.find_element(By.CLASS_NAME, "under").text
    number = re.match(r"x 15, y 3: gradient ([-+.e\d]+).*; cause \w+", said)
    with h5py.File(recording) as run:
        size = sum(float(run[f"wave0_grad_{axis}"][step, 3, 15]) ** 2
                   for axis in "xy") ** .5
    check("the gradient under the pointer is the recorded one", size > 0 and
          number and abs(float(number[1]) / size - 1) < 1e-6, (said, size))


def ways(driver):
    """Ranges, zoom and keys."""
    before = driver.execute_script("return " + CANVAS)
    for name in ("log", "quantile", "linear"):
        driver.execute_script(
            "const s = document.querySelector('.range'); s.value = arguments[0];"
            "s.dispatchEvent(new Event('change'))", name)
        check(f"the range {name} is another picture", wait(
            driver, f"({CANVAS} !== {before!r}) === {'false' if name == 'linear' else 'true'}"))
    scrub = driver.find_element(By.CLASS_NAME, "scrub")
    driver.find_element(By.CLASS_NAME, "larger").click()
    check("zoom in shows half of the map", driver.execute_script(
        "return document.querySelector('.over').getAttribute('viewBox')") == "6 2 12 4")
    driver.find_element(By.CLASS_NAME, "smaller").click()
    stage = driver.find_element(By.CLASS_NAME, "stage")
    ActionChains(driver).key_down(Keys.SHIFT).move_to_element(stage).click_and_hold(
        ).move_by_offset(round(stage.rect["width"] / 4), 0).release().key_up(Keys.SHIFT).perform()
    check("a line is drawn by step", wait(
        driver, "document.querySelector('.viewer').dataset.line > 5 && "
        "document.querySelector('.spacetime').width === 61"))
    check("fronts are drawn", driver.execute_script(
        "document.querySelectorAll('.overlays input')[4].click();"
        "return document.querySelector('.fronts').getAttribute('d').length") > 99)
    plot = driver.find_element(By.CSS_SELECTOR, ".plot .lines")
    ActionChains(driver).move_to_element(plot).click().perform()
    check("a click on a chart goes to its step",
          abs(driver.execute_script("return " + STEP) - 30) <= 1)
    scrub.send_keys(Keys.END)


def linked(driver, page):
    """The address keeps every control, whichever there are, and what is drawn."""
    state = ("[[...document.querySelectorAll('.player input:not(.scrub), .player select')]"
             ".filter(c => c.type !== 'radio' || c.checked)"
             ".map(c => c.type === 'checkbox' ? c.checked : c.value + c.parentNode.textContent), "
             + STEP + ", document.querySelector('.over').getAttribute('viewBox'), "
             "document.querySelector('.viewer').dataset.series, "
             "document.querySelector('.viewer').dataset.line, "
             "document.querySelector('.means').textContent]")
    driver.get(page + "#step=20&line=2,3,9,5")
    wait(driver, f"{STEP} === 20 && {PAINTED} && document.querySelector('.viewer').dataset.line")
    at_first = driver.execute_script("return " + state)
    driver.execute_script("""
        for (const set of document.querySelectorAll('.choices fieldset')) {
            const inputs = [...set.querySelectorAll('input')];
            for (const input of inputs[0].type === 'radio' ?
                 [inputs.find(one => !one.checked)] : inputs)
                input.click();
        }
        for (const control of document.querySelectorAll('.settings select, .settings input')) {
            control.value = control.options ? [...control.options].find(
                one => one.value !== control.value)?.value ?? control.value :
                control.type === 'range' ? '-1' : '4,6';
            control.dispatchEvent(new Event('change'));
        }
        document.querySelector('.larger').click();
        document.querySelector('.back').click();""")
    wait(driver, f"{STEP} === 19 && {PAINTED} && location.hash.includes('step=19&') && "
         "document.querySelector('.viewer').dataset.series")
    want, link = (driver.execute_script("return " + what) for what in (state, "location.href"))
    same = [a for a, b in zip(at_first[0], want[0]) if a == b]
    driver.get("about:blank")
    driver.get(link)
    wait(driver, f"{PAINTED} && document.querySelector('.viewer').dataset.line && "
         "document.querySelector('.viewer').dataset.series")
    got = driver.execute_script("return " + state)
    check("a link opens all that was chosen", got == want and not same and
          got[5].startswith("gradient of wave 1"), (link, same, want, got))


def wrong(driver, page):
    """One unit in the last place of δ."""
    text = Path(page).read_text(encoding="utf-8")
    assert '"delta": 0.25' in text
    other = Path(page).with_name("wrong.html")
    other.write_text(text.replace('"delta": 0.25', '"delta": 0.2500000298023224'),
                     encoding="utf-8")
    driver.get(other.as_uri() + "#probe=13,2")
    wait(driver, "document.querySelector('.proof').dataset.over")
    words = driver.find_element(By.CLASS_NAME, "proof")
    # Two other workers, by the rule of arm64 and by the first one again.
    check("a cell that was pinned before it has its series", wait(
        driver, "document.body.textContent.includes('Amplitude at (13, 2)')"))
    check("a wrong delta is found, in red", "; the first that differs is step 1 "
          "of wave 0." in words.text and "bad" in words.get_attribute("class"), words.text)


def old(driver, page):
    driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {
        "source": "delete window.DecompressionStream"})
    driver.get(page)
    check("an old browser shows the last step", wait(
        driver, "document.querySelector('svg.still')") and "This browser lacks" in
        driver.find_element(By.CLASS_NAME, "notice").text)


def deep(driver, page):
    driver.get(page)
    proof(driver, "39 of 39 generations equal the recording.")
    check("an agent of another floor is pale", driver.execute_script(
        "return document.querySelector('.agents g').getAttribute('opacity')") == "0.35")
    before = driver.execute_script("return " + CANVAS)
    driver.execute_script(
        "const s = document.querySelector('.layer'); s.value = 2;"
        "s.dispatchEvent(new Event('change'))")
    check("another layer is another picture", wait(
        driver, f"{CANVAS} !== {before!r}") and driver.execute_script(
        "return document.querySelector('.agents g').getAttribute('opacity')") == "1")
    driver.find_element(By.XPATH, "//label[span='oblique']").click()
    check("all layers are drawn as slices", wait(
        driver, "!document.querySelector('.pile').hidden"))
    under = driver.execute_script(
        "const said = [], pile = document.querySelector('.pile'), box = pile.getBoundingClientRect();"
        "for (const kind of ['pointermove', 'click']) { pile.dispatchEvent(new PointerEvent("
        "kind, { clientX: box.left + box.width / 2, clientY: box.bottom - 3 }));"
        "said.push(document.querySelector('.under').textContent); } return said[0]")
    check("the lowest slice is layer 0, and a click chooses it", "z 0: " in under and wait(
        driver, "document.querySelector('.means').textContent.includes('z = 0')"), under)
    path = driver.execute_script(
        "return [...document.querySelectorAll('.chart')].find(c => c.textContent"
        ".startsWith('Distance')).querySelector('path').getAttribute('d')")
    check("distances include the height", path.startswith("M0.0 47.6L"), path[:30])


def swept(driver, page):
    """Of a folder's runs one is shown; a click shows another at the same step."""
    driver.get(page + "#run=2&step=9")
    wait(driver, "document.querySelector('.proof').dataset.over")
    runs = driver.find_elements(By.CLASS_NAME, "pick")
    shown = driver.find_element(By.ID, "shown")
    check("sweep: a link opens its run", len(runs) == 2 and shown.text == runs[1].text and
          driver.execute_script("return " + STEP) == 9, shown.text)
    before = driver.execute_script("return " + CANVAS)
    runs[0].click()
    check("sweep: a click shows another run", wait(
        driver, f"{PAINTED} && {STEP} === 9 && {CANVAS} !== {before!r}") and
        shown.text == runs[0].text and driver.execute_script(
            "return document.querySelectorAll('.player, tr[aria-current]').length") == 2)
    proof(driver, "62 of 62 generations equal the recording.")
    check("sweep: charts are of the run shown", driver.execute_script(
        "return document.querySelectorAll('.chart').length") == 3)
    nothing_wrong(driver, page, "sweep")


def pictures_of(driver, page):
    driver.get(page)
    check("pictures are painted", wait(driver, PAINTED))
    check("pictures have their reason", "because the page cannot compute this "
          "run: --frames asks for pictures" in driver.find_element(By.CLASS_NAME, "note").text)
    last = driver.execute_script("return " + CANVAS)
    driver.find_element(By.CLASS_NAME, "scrub").send_keys(Keys.HOME)
    check("pictures differ", wait(driver, f"{STEP} === 0 && {CANVAS} !== {last!r}"))
    nothing_wrong(driver, page, "pictures")


def agents_stand(driver, recording):
    import h5py
    with h5py.File(recording) as run:
        times = list(run["time"][()])
        for step in (0, 3, 60):
            go(driver, step)
            row = times.index(step)
            places = driver.execute_script(
                "return [...document.querySelectorAll('.agents g')].map(g => "
                "{ const m = g.transform.baseVal[0].matrix; "
                "return [m.e, m.f]; })")
            wanted = [[run[f"agents/{axis}"][row][i] + .5 for axis in "xy"]
                      for i in range(len(run["agents/x"][row]))]
            far = max(abs(a - b) for at, want in zip(places, wanted)
                      for a, b in zip(at, want))
            check(f"agents have their recorded positions at step {step}",
                  far < 2e-3 and len(places) == len(wanted) + 1, far)


def desk(page, recording, pictures):
    driver = browser(1200, 1000)
    dark(driver, False)
    driver.get(page)
    check("the first frame is painted", wait(driver, PAINTED))
    proof(driver, "122 of 122 generations equal the recording.")
    check("the page opens at the last step", driver.execute_script(
        "return " + STEP) == 60 and wait(driver, PAINTED))
    picture(driver, pictures, "light")
    nothing_wrong(driver, page, "loaded")
    check("letters stand out", *[(w[0] >= 4.5, w) for w in
                                 [driver.execute_script(CONTRAST)]][0])
    count = driver.execute_script(
        "return Number(document.querySelector('.scrub').max) + 1")
    last = 60
    check("each step is shown", count == 61, count)
    probed(driver, recording)
    ways(driver)

    scrub = driver.find_element(By.CLASS_NAME, "scrub")
    scrub.send_keys(Keys.HOME)
    check("Home goes to step 0", wait(driver, STEP + " === 0 && " + PAINTED))
    first = driver.execute_script("return " + CANVAS)
    scrub.send_keys(Keys.END)
    check("End goes to the last", wait(driver, f"{STEP} === {last} && {PAINTED}"))
    ended = driver.execute_script("return " + CANVAS)
    for _ in range(3):
        scrub.send_keys(Keys.LEFT)
    check("an arrow moves one step",
          driver.execute_script("return " + STEP) < last and
          scrub.get_attribute("value") == str(count - 4))
    wait(driver, PAINTED)
    middle = driver.execute_script("return " + CANVAS)
    check("frames differ", first != middle and middle != ended)
    said = scrub.get_attribute("aria-valuetext")
    check("the slider says its step", said.startswith("step ") and
          said.endswith(f" of {last}"), said)

    play = driver.find_element(By.CLASS_NAME, "play")
    # It may have ended again before the driver looks.
    driver.execute_script(
        "const play = document.querySelector('.play'); window.labels = [];"
        "new MutationObserver(() => labels.push(play.ariaLabel))"
        ".observe(play, { attributes: true })")
    play.click()
    check("play plays", wait(driver, "labels.includes('Pause')"))
    check("play stops at the end",
          wait(driver, "document.querySelector('.play').ariaLabel === 'Play'")
          and driver.execute_script("return " + STEP) == last)
    play.click()
    check("play starts again from the beginning",
          wait(driver, f"{STEP} > 0 && {STEP} < {last}"))
    play.click()
    held = driver.execute_script("return " + STEP)
    time.sleep(.5)
    check("pause holds", driver.execute_script("return " + STEP) == held)
    scrub.send_keys(" ")
    check("the space bar plays", play.get_attribute("aria-label") == "Pause")
    scrub.send_keys(" ")
    driver.find_element(By.CLASS_NAME, "back").click()
    check("the button goes back",
          driver.execute_script("return " + STEP) < last)

    for name in ("Gradient", "Arrival", "Heading", "Truth", "Error", "Cause"):
        wait(driver, PAINTED)
        before = driver.execute_script("return " + CANVAS)
        radio = driver.find_element(
            By.XPATH, f"//label[span='{name}']/input")
        ActionChains(driver).move_to_element(radio).click().perform()
        check(f"{name} is another picture",
              wait(driver, f"{CANVAS} !== {before!r}"))
        if name == "Gradient":
            sloped(driver, recording)
        means = driver.find_element(By.CLASS_NAME, "means").text
        word = "true heading" if name == "Truth" else name.lower()
        check(f"{name} says what it means", word in means, means)
        picture(driver, pictures, name.lower(), 1000)
    agents_stand(driver, recording)
    nothing_wrong(driver, page, "used")
    dark(driver, True)
    check("dark is dark", wait(
        driver, "getComputedStyle(document.body).backgroundColor"
        ".match(/\\d+/g).every(v => v < 60)"))
    # colours change by a transition
    check("the colours settle", wait(driver, "!document.getAnimations().length"))
    check("letters stand out in the dark", *[(w[0] >= 4.5, w) for w in
                                             [driver.execute_script(CONTRAST)]][0])
    driver.execute_script("document.querySelector('label input').click()")
    picture(driver, pictures, "dark")
    driver.quit()


def phone(page, pictures):
    driver = browser(360, 740, touch=True)
    driver.get(page)
    check("a phone paints", wait(driver, PAINTED))
    wide = driver.execute_script(
        "return [document.documentElement.scrollWidth, innerWidth]")
    check("a phone need not scroll sideways", wide[0] <= wide[1] == 360, wide)
    small = driver.execute_script(
        "return [...document.querySelectorAll('button, .choices label, select')]"
        ".map(b => b.getBoundingClientRect()).filter(r => r.width)"
        ".reduce((least, r) => Math.min(least, r.width, r.height), 99)")
    check("fingers find the buttons", small >= 36, small)
    box = driver.execute_script(
        "const s = document.querySelector('.stage');"
        "s.scrollIntoView({block: 'center'});"
        "const r = s.getBoundingClientRect();"
        "return [r.left + .4 * r.width, r.top + r.height / 2]")
    for kind in ("touchStart", "touchEnd"):
        driver.execute_cdp_cmd("Input.dispatchTouchEvent", {
            "type": kind, "touchPoints": [] if kind == "touchEnd" else
            [{"x": box[0], "y": box[1]}]})
    check("a finger pins a probe",
          wait(driver, "document.querySelector('.viewer').dataset.series"))
    nothing_wrong(driver, page, "phone")
    if pictures:
        driver.execute_script("scrollTo(0, 0)")
        driver.save_screenshot(str(Path(pictures) / "phone.png"))
        driver.execute_script("scrollTo(0, 700)")
        driver.save_screenshot(str(Path(pictures) / "phone-2.png"))
    driver.quit()


def hostile(page):
    driver = browser(1000, 800)
    driver.get(page)
    check("hostile: painted", wait(driver, PAINTED))
    check("hostile: nothing ran", driver.execute_script(
        "return window.owned === undefined"))
    title = driver.find_element(By.TAG_NAME, "h1").text
    check("hostile: the title is text", "</script>" in title, title)
    names = driver.find_element(By.CLASS_NAME, "legend").text
    check("hostile: a name is text", "<img" in names, names)
    check("hostile: nothing was added", driver.execute_script(
        "return document.scripts.length === 2 && "
        "document.images.length === 0"))
    nothing_wrong(driver, page, "hostile")
    driver.quit()


def beside(page):
    driver = browser(1200, 900)
    for width in (1200, 500):
        driver.set_window_size(width, 900)
        driver.get("about:blank")
        driver.get(page)
        check("beside: painted", wait(driver, PAINTED))
        check("beside: one control for both", driver.execute_script(
            "return document.querySelectorAll('.scrub').length") == 1)
        tops = driver.execute_script(
            "return [...document.querySelectorAll('.stage')].map("
            "s => s.getBoundingClientRect().top)")
        check("beside each other if there is room",
              (abs(tops[0] - tops[1]) < 1) == (width > 1000), tops)
        for frame in (0, 4, 9, 99):
            driver.execute_script(
                "const s = document.querySelector('.scrub');"
                "s.value = arguments[0]; s.dispatchEvent(new Event('input'))",
                frame)
            seen = driver.execute_script(
                "return [...document.querySelectorAll('.viewer')].map("
                "v => [Number(v.dataset.step), v.innerText])")
            ended = "Ended at step" in seen[1][1]
            check("beside: the same step, or the end",
                  ended if seen[0][0] > 39 else seen[0][0] == seen[1][0],
                  [step for step, _ in seen])
        go(driver, 30)
        words = "document.querySelector('.difference .means')?.textContent"
        check("beside: equal runs have no difference", wait(
            driver, f"{words}?.startsWith('amplitude: no difference')"),
            driver.execute_script("return " + words))
        proof(driver, "152 of 152 generations equal the recording.")
        nothing_wrong(driver, page, "beside")
    driver.quit()


def main():
    page, recording, attack, two, floors, edge, sweep = (
        Path(name).resolve() for name in sys.argv[1:8])
    pictures = sys.argv[8] if len(sys.argv) > 8 else None
    driver = browser(900, 900)
    pictures_of(driver, edge.as_uri())
    swept(driver, sweep.as_uri())
    linked(driver, page.as_uri())
    wrong(driver, page)
    deep(driver, floors.as_uri())
    old(driver, page.as_uri())
    driver.quit()
    beside(two.as_uri())
    desk(page.as_uri(), recording, pictures)
    phone(page.as_uri(), pictures)
    hostile(attack.as_uri())
    for fault in faults:
        print("fault:", fault)
    sys.exit(bool(faults))


main()
