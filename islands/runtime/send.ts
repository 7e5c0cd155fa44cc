import { beside, toast } from "./toast";

const timeout = 5000; // ms
const notSent = "Not sent."; // a form may have its own: data-unsent
const onceOnline = "Please try again once you are online."; // the strip says that the browser is offline
const stillSending = "Please wait, still sending.";

/**
 * Blocks a second submission of a native form, and any while offline, with a message: the browser would replace the page with
 * its own error. Island forms prevent the event first.
 */
export function onlyOnce(root: Document): void {
  const sent = new Map<EventTarget, HTMLElement | null>();
  const told = new Set<EventTarget>();
  const forget = (form: EventTarget): void => {
    told.delete(form);
    sent.get(form)?.removeAttribute("aria-busy");
    sent.delete(form);
  };
  root.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || !(form instanceof HTMLFormElement) || closesDialog(event.submitter)) return;
    if (sent.has(form)) {
      event.preventDefault();
      if (!told.has(form)) toast(stillSending, "still");
      told.add(form);
      return;
    }
    if (!navigator.onLine) {
      event.preventDefault();
      beside(`${form.dataset.unsent ?? notSent} ${onceOnline}`, form, "alert");
      return;
    }
    event.submitter?.setAttribute("aria-busy", "true");
    sent.set(form, event.submitter);
    setTimeout(forget, timeout, form); // the visitor broke the sending off
  });
  addEventListener("pageshow", () => {
    for (const form of sent.keys()) forget(form);
  });
}

/** Such a press sends nothing. */
const closesDialog = (button: HTMLElement | null): boolean => button?.getAttribute("formmethod") === "dialog";
