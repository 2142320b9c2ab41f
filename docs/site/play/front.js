// The board of the front page: an opponent that answers at once, because it simulates only few games.

import { games, playIn } from "./play.js";

const OPPONENT = {
  value: "uct:400",
  label: "400 random games a move",
  kind: "uct",
  simulations: 400,
  by_classes: false,
};

const place = document.querySelector("[data-board]");
const about = (await games())[place.dataset.board];
await playIn(place, { ...about, players: [OPPONENT, ...about.players], opponent: OPPONENT.value });
