// The enquiry form after the first touch: checks input while the visitor types, adds a country picker with search and the human
// check, and sends without leaving the page. The server's response, a fragment, replaces the form's card.
import htmx from "htmx.org";
import countries from "../../forms/countries.json";
import { toast } from "../runtime/toast";
import { combobox } from "./combobox";
import { titleSays } from "./errors";
import { judgeWhileTyping } from "./judge";
import { sendInPlace } from "./send";

htmx.config.defaultSettleDelay = 0; // else it copies style attributes (of a resized textarea), which the policy refuses

/** Starts the form in place, and each form that replaces it. */
export default function enquiry(place: HTMLElement): void {
  const judge = judgeWhileTyping(place);
  sendInPlace(place, judge);
  const first = place.querySelector("form");
  if (first) combobox(first, countries);
  new MutationObserver(() => {
    const form = place.querySelector("form"); // absent once sent
    if (form) combobox(form, countries);
    const problem = place.querySelector<HTMLElement>(".error-summary");
    judge.restart(problem !== null);
    titleSays(problem !== null);
    for (const item of problem?.querySelectorAll("li") ?? []) {
      if (!item.querySelector("a")) toast(item.textContent?.trim() ?? "", "failed"); // an error without a field
    }
    place.querySelector<HTMLElement>("[autofocus]")?.focus(); // focusing announces it
  }).observe(place, { childList: true });
}
