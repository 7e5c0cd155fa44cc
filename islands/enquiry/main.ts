// The enquiry form, once somebody has touched it: checks while one types, a country picker with search, the human check,
// and sending without leaving the page. The server's answer, a fragment, takes the form's place.
import htmx from "htmx.org";
import * as z from "zod/mini";
import countries from "../../forms/countries.json";
import definition from "../../forms/enquiry.json";
import { check, checkField, type Form, type Values } from "../forms/check";
import { unreached, unreadable } from "../runtime/failure";
import { humanToken } from "../runtime/human";
import { parse } from "../runtime/schema";
import { toast } from "../runtime/toast";
import { combobox } from "./combobox";
import { errorAt, summary } from "./errors";

htmx.config.defaultSettleDelay = 0; // else it copies style attributes (of a resized textarea), which the policy refuses

const form: Form = definition;
const env = { countries };

/** What htmx tells of an answer, before it takes the form's place. */
const arrived = z.object({ ctx: z.object({ response: z.object({ status: z.number() }), text: z.string() }) });

/** Makes the form in place work, and each one that an answer puts there. */
export default function enquiry(place: HTMLElement): void {
  const visited = new Set<string>();
  let cleared = false; // the check and the human check have passed: htmx may send
  let pressed = false; // a message must not move a button away from under a finger

  const current = (): HTMLFormElement | null => place.querySelector("form");
  const values = (): Values => {
    const typed = new FormData(current() ?? undefined);
    return Object.fromEntries([...typed.keys()].map((name) => [name, typed.getAll(name).join(",")]));
  };
  const judge = (name: string): void => {
    const target = current();
    if (target && form.fields.some((field) => field.name === name))
      errorAt(target, name, checkField(form, name, values(), env));
  };

  const nameOf = (target: EventTarget | null): string =>
    target instanceof Element ? (target.closest<HTMLElement>("[data-field]")?.dataset.field ?? "") : "";

  place.addEventListener("focusout", (event) => {
    const name = nameOf(event.target);
    if (!name || nameOf(event.relatedTarget) === name) return;
    visited.add(name);
    if (!pressed) judge(name);
  });
  place.addEventListener("pointerdown", () => {
    pressed = true;
  });
  const released = (): void => {
    if (!pressed) return;
    pressed = false;
    setTimeout(() => visited.forEach(judge));
  };
  addEventListener("pointerup", released);
  addEventListener("pointercancel", released);
  const changed = (event: Event): void => {
    const name = nameOf(event.target);
    if (name === "phone" && event.target instanceof HTMLInputElement) keepDigits(event.target, 15);
    if (visited.has(name)) judge(name);
    if (name === "countryCode" && visited.has("phone")) judge("phone");
  };
  place.addEventListener("input", changed);
  place.addEventListener("change", changed);

  place.addEventListener(
    "submit",
    (event) => {
      if (cleared) {
        cleared = false;
        return;
      }
      event.preventDefault();
      event.stopPropagation();
      const target = current();
      if (target?.getAttribute("aria-busy") === "true" || !target) return;
      const { faults } = check(form, values(), env);
      for (const { name } of form.fields) {
        visited.add(name);
        errorAt(target, name, faults.find((fault) => fault.field === name)?.message ?? "");
      }
      if (summary(target, faults)) return;
      busy(target, true);
      humanToken()
        .catch(() => "") // the server says what is missing
        .then((token) => {
          const ticket = target.elements.namedItem("captcha_token");
          if (ticket instanceof HTMLInputElement) ticket.value = token;
          cleared = true;
          target.requestSubmit();
        });
    },
    { capture: true },
  );

  const failed = (text: string): void => {
    const target = current();
    if (target) busy(target, false);
    toast(text, true);
  };
  place.addEventListener("htmx:after:request", (event) => {
    const answer = event instanceof CustomEvent ? parse(arrived, event.detail)?.ctx : undefined;
    if (answer && answer.response.status < 500 && holdsForm(answer.text)) return;
    event.preventDefault(); // a whole page, or a stranger's: the form stays
    failed(answer && answer.response.status >= 400 ? "Something went wrong." : unreadable);
  });
  place.addEventListener("htmx:error", () => failed(unreached()));

  const answered = (): void => {
    const target = current();
    if (!target) return;
    combobox(target, countries);
    visited.clear();
    if (target.querySelector("[data-sent]")) toast("Request successfully submitted.");
    const problem = target.querySelector<HTMLElement>(".error-summary");
    if (problem) for (const { name } of form.fields) visited.add(name);
    for (const item of problem?.querySelectorAll("li") ?? []) {
      if (!item.querySelector("a")) toast(item.textContent?.trim() ?? "", true); // speaks of no field
    }
    target.querySelector<HTMLElement>("[autofocus]")?.focus();
  };
  new MutationObserver(answered).observe(place, { childList: true });
  const first = current();
  if (first) combobox(first, countries);
}

const holdsForm = (html: string): boolean =>
  new DOMParser().parseFromString(html, "text/html").querySelector('form[action="/enquiry"]') !== null;

function busy(target: HTMLFormElement, is: boolean): void {
  const button = target.querySelector("button:not([type=button])");
  for (const element of [target, button]) {
    if (is) element?.setAttribute("aria-busy", "true");
    else element?.removeAttribute("aria-busy");
  }
}

/** Takes away what stands behind the last digit that a number may have. */
function keepDigits(input: HTMLInputElement, most: number): void {
  let digits = 0;
  const end = [...input.value].findIndex((letter) => /[0-9]/.test(letter) && ++digits > most);
  if (end >= 0) input.value = input.value.slice(0, end);
}
