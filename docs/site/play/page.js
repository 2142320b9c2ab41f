// The page to play on: a game for each word after the # of its address.

import { games, playIn } from "./play.js";
import { followTheme } from "./theme.js";

async function main() {
  const abouts = await games();
  async function open() {
    const about = abouts[location.hash.slice(1)] ?? abouts.reversi;
    for (const link of document.querySelectorAll("nav.games a")) {
      if (link.hash === `#${about.game}`) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    for (const rules of document.querySelectorAll("[data-rules]")) rules.hidden = rules.dataset.rules !== about.game;
    await playIn(document.querySelector("#game"), about);
  }
  window.addEventListener("hashchange", open);
  await open();
}

followTheme();
main();
