// A board to click on, as a widget of its own.

import { widget } from "./ui.js";
import { LiveBoard } from "./live_board.js";

export default widget(LiveBoard);
