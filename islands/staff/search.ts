// Searches the list of registrations while somebody types. Loaded when the field gets the focus.
import htmx from "htmx.org";
import * as z from "zod/mini";
import { parse } from "../runtime/schema";

htmx.config.history = false; // else Back shows a part of a page
htmx.config.defaultSettleDelay = 0;
htmx.config.defaultTimeout = 10_000;

/** htmx's events: the request, and the answer once it is there. */
const asked = z.object({ ctx: z.object({ request: z.object({ action: z.string() }) }) });
const answered = z.object({ ctx: z.object({ response: z.object({ status: z.number() }), text: z.string() }) });

/** After how many milliseconds the list gives way to a drawing of it, and after how many the number is announced. */
const waits = 300;
const rest = 700;

/** Replaces the list while somebody types. say announces the number of matches. */
export default function searchWhileTyping(form: HTMLFormElement, say: (text: string) => void): void {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let resting: ReturnType<typeof setTimeout> | undefined;
  let address = form.action; // of the list with what is typed
  const field = form.querySelector<HTMLInputElement>("#q");
  const words = (): string => field?.value.trim() ?? "";
  const below = (): HTMLElement | null => document.getElementById("list-text");
  const show = (id: string, text: string): void => {
    const template = document.getElementById(id);
    const copy = template instanceof HTMLTemplateElement && template.content.firstElementChild?.cloneNode(true);
    if (!(copy instanceof HTMLElement)) return;
    copy.id = "list";
    document.getElementById("list")?.replaceWith(copy);
    const line = below();
    if (line) line.textContent = text;
    const again = document.querySelector<HTMLAnchorElement>("#list [data-again]");
    if (again) again.href = address;
  };
  const fail = (): void => {
    clearTimeout(waiting);
    show("list-failed", words() ? `Could not load “${words()}”.` : "Could not load the list.");
    for (const count of document.querySelectorAll<HTMLElement>("#list-head .tabs small")) count.hidden = true;
  };
  form.addEventListener("input", () => clearTimeout(resting));
  form.addEventListener("htmx:before:request", (event) => {
    const request = event instanceof CustomEvent ? parse(asked, event.detail)?.ctx.request : undefined;
    if (request) address = withoutEmpty(request.action);
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      show("list-waits", words() ? `Looking for “${words()}”.` : "Looking.");
      say("Looking");
    }, waits);
  });
  form.addEventListener("htmx:after:request", (event) => {
    clearTimeout(waiting);
    const answer = event instanceof CustomEvent ? parse(answered, event.detail)?.ctx : undefined;
    if (answer && answer.response.status < 400 && answer.text.startsWith('<div id="list">')) {
      history.replaceState(history.state, "", address);
      return;
    }
    event.preventDefault();
    if (answer && answer.response.status < 500)
      location.assign(address); // the session is over
    else fail();
  });
  form.addEventListener("htmx:error", fail);
  form.addEventListener("htmx:after:swap", () => {
    resting = setTimeout(() => say(below()?.textContent ?? ""), rest);
  });
  // What was typed while this file was loading. htmx starts before, in a timeout too.
  setTimeout(() => {
    if (field && field.value !== field.defaultValue) field.dispatchEvent(new Event("input", { bubbles: true }));
  });
}

/** Returns an address without parameters that have no value. */
export function withoutEmpty(address: string): string {
  const url = new URL(address, location.href);
  for (const [name, value] of [...url.searchParams]) if (value.trim() === "") url.searchParams.delete(name);
  return url.pathname + url.search;
}
