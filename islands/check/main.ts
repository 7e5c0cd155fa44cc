// The page that asks for work before a posted form is accepted: does it, then sends the form. Without this script the visitor
// waits and presses the button.
import { proofOfWork, solve } from "../runtime/human.ts";
import { parseJSON } from "../runtime/schema.ts";

export async function work(form: HTMLFormElement): Promise<void> {
  const challenge = parseJSON(proofOfWork, form.dataset.challenge ?? "");
  const field = form.elements.namedItem("captcha_token");
  if (!challenge || !(field instanceof HTMLInputElement)) return;
  const button = form.querySelector("button");
  button?.setAttribute("aria-busy", "true");
  const hold = (event: Event) => event.preventDefault();
  form.addEventListener("submit", hold);
  for (const part of document.querySelectorAll<HTMLElement>("[data-wait]")) part.hidden = true;
  for (const part of document.querySelectorAll<HTMLElement>("[data-work]")) part.hidden = false;
  field.value = await solve(challenge);
  form.removeEventListener("submit", hold);
  form.requestSubmit();
}

for (const form of document.querySelectorAll<HTMLFormElement>("form[data-challenge]")) void work(form);
