// Sign-in pages: the human check, the loops behind a code, the wait before resending, and Back. Their forms work without this
// script.
import { drawDigits } from "./code";
import { comesBack } from "./here";
import { passHuman } from "./human";
import { countdown } from "./resend";

function each<Kind extends HTMLElement>(selector: string, act: (element: Kind) => void): void {
  for (const element of document.querySelectorAll<Kind>(selector)) act(element);
}

each<HTMLFormElement>("form[data-human]", passHuman);
each<HTMLInputElement>(".code .input-otp", drawDigits);
each("[data-resend]", countdown);
each("form[data-here]", comesBack);
