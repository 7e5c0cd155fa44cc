// The pages that one signs in on: the human check, the loops behind a code, and the time until it may be sent again. Without
// this script their forms work as they are.
import { drawDigits } from "./code";
import { passHuman } from "./human";
import { countdown } from "./resend";

function each<Kind extends HTMLElement>(selector: string, act: (element: Kind) => void): void {
  for (const element of document.querySelectorAll<Kind>(selector)) act(element);
}

each<HTMLFormElement>("form[data-human]", passHuman);
each<HTMLInputElement>(".code .input-otp", drawDigits);
each("[data-resend]", countdown);
