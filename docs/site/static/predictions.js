// Predictions without Python: judged as course/predict.py does, and kept in the browser.

const keyOf = (question) => `mctslab prediction: ${question}`;

/** With two digits, or as a whole number if it has more. */
const rounded = (number) => (number >= 10 ? number.toFixed(0) : String(Number(number.toPrecision(2))));

/** Whether a prediction came true (null: a curve), also in words; an Error if it makes no sense. */
export function judge(kind, guess, truth) {
  if (kind === "number") {
    const came_true = guess[0] <= truth && truth <= guess[1];
    return { came_true, verdict: came_true ? "Your range contains it." : "It came out differently: your range does not contain it." };
  }
  if (kind === "choice") {
    if (guess === null) throw new Error("Choose one of the options.");
    const came_true = guess === truth;
    return { came_true, verdict: came_true ? "That is right." : `It came out differently: you chose “${guess}”.` };
  }
  const distance = guess.reduce((sum, value, place) => sum + Math.abs(value - truth[place]), 0) / truth.length;
  return { came_true: null, verdict: `On average your curve is ${rounded(distance)} away from it.` };
}

function kept(question) {
  try {
    return JSON.parse(localStorage.getItem(keyOf(question)));
  } catch {
    return null;
  }
}

function keep(question, guess) {
  try {
    localStorage.setItem(keyOf(question), JSON.stringify(guess));
  } catch (error) {
    console.warn("mctslab: the prediction cannot be kept:", error);
  }
}

export function predictionAnswers({ model }, { answer }) {
  const question = model.get("question");
  const unjudged = { guess: null, verdict: "", came_true: null };
  model.update({ ...unjudged, answer: {} }); // whatever the build has seen
  const show = (guess) => model.update({ guess, ...judge(model.get("kind"), guess, answer.value), message: "", answer });
  model.answer = ({ command, guess }) => {
    if (command === "see") return model.update({ ...unjudged, message: "", answer });
    if (command !== "predict") return;
    try {
      show(guess);
      keep(question, guess);
    } catch (error) {
      model.update({ message: error.message });
    }
  };
  const before = kept(question);
  if (before === null) return;
  try {
    show(before);
  } catch {
    // The question has changed since then, so it needs a new answer.
  }
}
