// The enquiry form, once somebody has touched it: checks while one types, a country picker with search, the human check,
// and sending without leaving the page. The server's answer, a fragment, takes the form's place.
import htmx from "htmx.org";
import countries from "../../forms/countries.json";
import { toast } from "../runtime/toast";
import { combobox } from "./combobox";
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
    const form = place.querySelector("form");
    if (!form) return;
    combobox(form, countries);
    if (form.querySelector("[data-sent]")) toast("Request successfully submitted.");
    const problem = form.querySelector<HTMLElement>(".error-summary");
    judge.restart(problem !== null);
    for (const item of problem?.querySelectorAll("li") ?? []) {
      if (!item.querySelector("a")) toast(item.textContent?.trim() ?? "", true); // speaks of no field
    }
    form.querySelector<HTMLElement>("[autofocus]")?.focus();
  }).observe(place, { childList: true });
}
