// Questions with options, one after the other. A click on an option answers, and the page says what is
// right and why. Where it gives no reasons, "Back" takes an answer back.

import { Button, change, html, Icon, useLayoutEffect, useRef, useState, useTraits, widget } from "./ui.js";

/** What is said of the questions that are answered, in a sentence. */
export function resultOf(questions, chosen) {
  const right = questions.filter((question, place) => chosen[place] === question.right).length;
  return `${right} of ${questions.length} ${right === 1 ? "is" : "are"} right.`;
}

function Questions({ model }) {
  const names = ["title", "questions", "chosen", "gives_reasons", "closing"];
  const [title, questions, chosen, givesReasons, closing] = useTraits(model, ...names);
  const [place, go] = useState(chosen.length);
  const [body, moved] = [useRef(), useRef(false)];
  useLayoutEffect(() => { if (moved.current) body.current.focus(); }, [place]);

  function to(next) {
    moved.current = true;
    go(next);
  }
  function choose(option) {
    change(model, { chosen: [...chosen.slice(0, place), option] });
    if (!givesReasons) to(place + 1);
  }
  function back() {
    change(model, { chosen: chosen.slice(0, place - 1) });
    to(place - 1);
  }
  const isOver = place >= questions.length;
  const next = place + 1 < questions.length ? "Next question" : "How many were right?";
  return html`
    <section class="mctslab mctslab-prediction mctslab-questions" aria-label=${title}>
      <p class="question"><strong>${title}</strong>
        ${!isOver && html`<span class="muted">${`Question ${place + 1} of ${questions.length}`}</span>`}</p>
      <div tabindex="-1" ref=${body}>
        ${isOver
    ? html`<${Closing} ...${{ questions, chosen, closing, givesReasons }} />`
    : html`<${Question} question=${questions[place]} answer=${chosen[place]} choose=${choose} />`}
      </div>
      <div class="row">
        ${!isOver && chosen[place] !== undefined
    && html`<${Button} sign="next" label=${next} word kind="primary" onclick=${() => to(place + 1)} />`}
        ${!givesReasons && place > 0
    && html`<${Button} sign="previous" label="Back" word onclick=${back} />`}
        ${isOver && givesReasons
    && html`<${Button} sign="new" label="Ask again" word onclick=${() => { change(model, { chosen: [] }); to(0); }} />`}
      </div>
    </section>`;
}

/** A question with its options; once it is answered, with the reasons for the right and the chosen one. */
function Question({ question: { asks, options, right, reasons }, answer, choose }) {
  const isOpen = answer === undefined;
  const kind = (option) => (isOpen ? "" : option === right ? "is-true strong" : option === answer ? "is-missed" : "");
  return html`
    <p>${asks}</p>
    <div role="group" aria-label="Options">
      ${options.map((text, option) => html`
        <button type="button" class="option ${kind(option)}" disabled=${!isOpen}
          onclick=${() => choose(option)}>${text}</button>`)}
    </div>
    <div role="status">
      ${!isOpen && answer !== right && html`<p><${Icon} name="differently" /> ${reasons[answer]}</p>`}
      ${!isOpen && html`<p><${Icon} name="right" /> ${reasons[right]}</p>`}
    </div>`;
}

/** The end: how many were right; nothing of it where no reasons are given. */
function Closing({ questions, chosen, closing, givesReasons }) {
  if (!givesReasons) return html`<p role="status">Thank you. Your answers are kept.</p>`;
  return html`<p role="status"><strong>${resultOf(questions, chosen)}</strong> ${closing}</p>`;
}

export default widget(Questions);
