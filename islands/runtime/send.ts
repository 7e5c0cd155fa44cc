import { beside, toast } from "./toast";

const timeout = 5000; // ms
const notSent = "Not sent."; // a form may have its own: data-unsent
const onceOnline = "Please try again once you are online."; // the offline notice is already visible
const stillSending = "Please wait, still sending.";

/**
 * Blocks a second submission of a native form, and any while offline, and shows a message; the browser would replace the page by
 * its error page. Island forms prevent the event before.
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
    setTimeout(forget, timeout, form); // the visitor may have stopped the submission
  });
  addEventListener("pageshow", () => {
    for (const form of sent.keys()) forget(form);
  });
}

/** Reports whether a submission sends nothing to the server. */
const closesDialog = (button: HTMLElement | null): boolean => button?.getAttribute("formmethod") === "dialog";
