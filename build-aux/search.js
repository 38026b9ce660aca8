// SPDX-License-Identifier: MIT
// search.html?lang=LANG&q=WORDS lists the sections that contain all WORDS. pages.js has
// each section as [address, page, heading, text].
"use strict";

const said = {
    en: { title: "Search", gallery: "Gallery", none: "No section contains all of these words.", some: "Sections:", first: "the first" },
    ja: { title: "検索", gallery: "ギャラリー", none: "すべての語を含む節はありません。", some: "見つかった節：", first: "表示は先頭の" },
};
const plain = (text) => text.normalize("NFKC").toLowerCase();
const times = (text, word) => text.split(word).length - 1;
const language = (address) => (/^docs\/ja\/|\.ja\.html/.test(address) ? "ja" : "en");

// The sections with all words: those in this language first, then those with the words
// in their headings and most often in their text.
function find(words, lang) {
    const found = [];
    for (const section of pages) {
        const [address, page, heading, text] = section;
        const head = plain(page + " " + heading), body = plain(text);
        if (!words.every((word) => head.includes(word) || body.includes(word))) continue;
        let rank = language(address) === lang ? 1000 : 0;
        for (const word of words)
            rank += 20 * times(plain(heading), word) + 5 * times(head, word) + Math.min(times(body, word), 10);
        found.push({ section, rank });
    }
    return found.sort((a, b) => b.rank - a.rank).map((one) => one.section);
}

// Adds the text around the first of the words to an element, with the words marked.
function excerpt(element, text, words) {
    const lower = text.toLowerCase();
    const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
    const start = places.length ? Math.max(0, Math.min(...places) - 60) : 0;
    const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    const parts = text.slice(start, start + 200).split(new RegExp(`(${escaped.join("|")})`, "i"));
    element.append(start ? "…" : "", ...parts.map((part, i) => {
        if (i % 2 === 0) return part;
        const mark = document.createElement("mark");
        mark.textContent = part;
        return mark;
    }), start + 200 < text.length ? "…" : "");
}

function show() {
    const given = new URLSearchParams(location.search);
    const lang = given.get("lang") === "ja" ? "ja" : "en", query = given.get("q") || "";
    const words = plain(query).split(/\s+/).filter(Boolean);
    document.documentElement.lang = lang;
    document.querySelector("h1").textContent = said[lang].title;
    document.title = said[lang].title + " – Hamon";
    const [top, gallery] = document.querySelectorAll("header a");
    top.href = lang === "ja" ? "README.ja.html" : "index.html";
    gallery.href = lang === "ja" ? "docs/ja/gallery.html" : "docs/gallery.html";
    gallery.textContent = said[lang].gallery;
    const form = document.querySelector("form");
    form.elements.lang.value = lang;
    form.elements.q.value = query;
    form.elements.q.setAttribute("aria-label", said[lang].title);
    form.querySelector("button").textContent = said[lang].title;
    if (!words.length) return;
    const found = find(words, lang);
    document.getElementById("count").textContent = found.length
        ? `${said[lang].some} ${found.length}` + (found.length > 50 ? ` (${said[lang].first} 50)` : "")
        : said[lang].none;
    for (const [address, page, heading, text] of found.slice(0, 50)) {
        const item = document.createElement("li"), link = document.createElement("a"), shown = document.createElement("p");
        item.lang = language(address);
        link.href = address;
        link.textContent = heading && heading !== page ? `${page}: ${heading}` : page;
        excerpt(shown, text, words);
        item.append(link, shown);
        document.getElementById("found").append(item);
    }
}
if (typeof document !== "undefined") show();
