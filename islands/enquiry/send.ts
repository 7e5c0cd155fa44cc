import * as z from "zod/mini";
import { unreached, unreadable } from "../runtime/failure";
import { humanToken } from "../runtime/human";
import { parse } from "../runtime/schema";
import { toast } from "../runtime/toast";
import type { Judge } from "./judge";

/** htmx's event before a response replaces the form. */
const arrived = z.object({ ctx: z.object({ response: z.object({ status: z.number() }), text: z.string() }) });

/** Passes the human check before htmx sends the form, and keeps the form if the response cannot replace it. */
export function sendInPlace(place: HTMLElement, judge: Judge): void {
  let isCleared = false; // rules and human check have passed, so htmx may send
  place.addEventListener(
    "submit",
    (event) => {
      if (isCleared) {
        isCleared = false;
        return;
      }
      event.preventDefault();
      event.stopPropagation();
      const form = place.querySelector("form");
      if (!form || form.getAttribute("aria-busy") === "true" || !judge.all()) return;
      busy(form, true);
      humanToken()
        .catch(() => "") // the server responds with the message
        .then((token) => {
          const field = form.elements.namedItem("captcha_token");
          if (field instanceof HTMLInputElement) field.value = token;
          isCleared = true;
          form.requestSubmit();
        });
    },
    { capture: true },
  );

  const failed = (text: string): void => {
    const form = place.querySelector("form");
    if (form) busy(form, false);
    toast(text, "failed", form);
  };
  place.addEventListener("htmx:after:request", (event) => {
    const answer = event instanceof CustomEvent ? parse(arrived, event.detail)?.ctx : undefined;
    if (answer && answer.response.status < 500 && isOurs(answer.text)) return;
    event.preventDefault(); // a whole page, or not from our server: the form stays
    failed(answer && answer.response.status >= 400 ? "Something went wrong." : unreadable);
  });
  place.addEventListener("htmx:error", () => failed(unreached()));
}

const isOurs = (html: string): boolean =>
  new DOMParser().parseFromString(html, "text/html").querySelector('form[action="/enquiry"], [data-sent]') !== null;

function busy(form: HTMLFormElement, is: boolean): void {
  for (const element of [form, form.querySelector("button:not([type=button])")]) {
    if (is) element?.setAttribute("aria-busy", "true");
    else element?.removeAttribute("aria-busy");
  }
}
