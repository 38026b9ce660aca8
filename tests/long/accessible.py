# SPDX-License-Identifier: MIT
# accessible.py AXE PAGE…: opens each page in a headless Chromium, narrow and wide,
# light and dark, and prints what axe-core finds, and how far it is wider than the
# window; then the number of views.
import sys
import time
from pathlib import Path

from selenium import webdriver

axe, pages = Path(sys.argv[1]).read_text(encoding="utf-8"), sys.argv[2:]
views = 0
for width in (360, 768, 1280, 1440):
    options = webdriver.ChromeOptions()
    for word in ("headless=new", "no-sandbox", "disable-gpu", "no-first-run", "disable-dev-shm-usage"):
        options.add_argument("--" + word)
    options.add_experimental_option("mobileEmulation", {"deviceMetrics": {
        "width": width, "height": 900, "pixelRatio": 1.0, "touch": width < 700}})
    driver = webdriver.Chrome(options=options)
    driver.set_script_timeout(120)
    for page in pages:
        for scheme in ("light", "dark"):
            driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
                {"name": "prefers-color-scheme", "value": scheme}]})
            driver.get(Path(page).resolve().as_uri())
            driver.execute_script("document.querySelector('.pick')?.click()")  # a run of a folder
            end = time.time() + 30
            while time.time() < end and driver.execute_script(
                    "return !(document.querySelector('.proof') || {dataset: {over: 1}}).dataset.over"):
                time.sleep(.1)
            driver.execute_script(axe)
            found = driver.execute_async_script(
                "const done = arguments[0]; axe.run().then(r => done(r.violations.map("
                "v => v.id + ' ' + v.nodes.length + ' ' + v.nodes[0].html.slice(0, 120))))")
            wider = driver.execute_script(
                "return document.documentElement.scrollWidth - document.documentElement.clientWidth")
            for one in found + ([f"{wider} pixels wider than the window"] if wider > 0 else []):
                print(Path(page).name, width, scheme, one)
            views += 1
    driver.quit()
print(views, "views")
