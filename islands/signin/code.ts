import { codeDigits, digits } from "../forms/braid";
import { withoutSeparators } from "../forms/phone";

/** Draws the loops behind a code during typing and sends its form with the sixth digit, once per code, unless its code has ended. */
export function drawDigits(input: HTMLInputElement): void {
  const place = input.closest(".code")?.querySelector("svg");
  let judged = typedIn(input); // the value that the server rejected
  input.addEventListener("input", () => {
    const typed = typedIn(input);
    if (place) place.innerHTML = draw(typed.length);
    if (typed.length !== codeDigits || typed === judged || ended(input.form)) return;
    judged = typed;
    input.form?.requestSubmit(input.form.querySelector<HTMLButtonElement>("button")); // as the Enter key does
  });
}

const ended = (form: HTMLFormElement | null) => Boolean(form?.querySelector("[value^=verify]:disabled"));

const typedIn = (input: HTMLInputElement): string => withoutSeparators(input.value);

/** Renders the same as components.Digits. */
function draw(typed: number): string {
  const { paths, next, dots } = digits(typed, false);
  const line = paths.map(({ look, d }) => `<path class="${look}" d="${d}"></path>`).join("");
  const caret =
    next === undefined
      ? ""
      : `<g class="next"><circle cx="${next}" cy="0" r="10.5"></circle><path d="M${next} -5.5V5.5"></path></g>`;
  return line + caret + dots.map((x) => `<circle cx="${x}" cy="0" r="3"></circle>`).join("");
}
