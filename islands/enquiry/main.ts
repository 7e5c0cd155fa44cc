// The enquiry form, once somebody has touched it: checks while one types, a country picker with search, the human check,
// and sending without leaving the page. The server's answer, a fragment, takes the place of form and card.
import htmx from "htmx.org";
import countries from "../../forms/countries.json";
import { toast } from "../runtime/toast";
import { combobox } from "./combobox";
import { titleSays } from "./errors";
import { judgeWhileTyping } from "./judge";
import { sendInPlace } from "./send";

htmx.config.defaultSettleDelay = 0; // else it copies style attributes (of a resized textarea), which the policy refuses

/** Makes the form in place work, and each one that an answer puts there. */
export default function enquiry(place: HTMLElement): void {
  const judge = judgeWhileTyping(place);
  sendInPlace(place, judge);
  const first = place.querySelector("form");
  if (first) combobox(first, countries);
  new MutationObserver(() => {
    const form = place.querySelector("form"); // none once it is sent
    if (form) combobox(form, countries);
    const problem = place.querySelector<HTMLElement>(".error-summary");
    judge.restart(problem !== null);
    titleSays(problem !== null);
    for (const item of problem?.querySelectorAll("li") ?? []) {
      if (!item.querySelector("a")) toast(item.textContent?.trim() ?? "", "failed"); // speaks of no field
    }
    place.querySelector<HTMLElement>("[autofocus]")?.focus(); // this announces it
  }).observe(place, { childList: true });
}
