// Predictions without Python: judged as course/predict.py does, and kept in the browser.

const keyOf = (question) => `mctslab prediction: ${question}`;

/** With two digits, or as a whole number if it has more. */
const rounded = (number) => (number >= 10 ? number.toFixed(0) : String(Number(number.toPrecision(2))));

/** Whether a prediction came true, in words; an Error if it makes no sense. */
export function judge(kind, guess, truth) {
  if (kind === "number") {
    return guess[0] <= truth && truth <= guess[1] ? "Your range contains it." : "Your range does not contain it.";
  }
  if (kind === "choice") {
    if (guess === null) throw new Error("Choose one of the options.");
    return guess === truth ? "That is right." : `You chose “${guess}”.`;
  }
  const distance = guess.reduce((sum, value, place) => sum + Math.abs(value - truth[place]), 0) / truth.length;
  return `On average your curve is ${rounded(distance)} away from it.`;
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
  model.update({ guess: null, verdict: "", answer: {} }); // whatever the build has seen
  const show = (guess) => model.update({ guess, verdict: judge(model.get("kind"), guess, answer.value), message: "", answer });
  model.answer = ({ command, guess }) => {
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
