// What a widget's script gets instead of Python's answers, by the widget's class. Each function is
// called once with the page's side of the widget, {model, modelOf, needsPython}, and with what the
// build has written down for it.

import { explorerAnswers } from "./explorer.js";

export const ANSWERS = {
  TreeExplorer: explorerAnswers,
};
