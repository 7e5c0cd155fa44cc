import { humanToken } from "../runtime/human";

/** Passes the human check before a form is sent. Without a token the server shows a page of its own. */
export function passHuman(form: HTMLFormElement, token: () => Promise<string> = humanToken): void {
  const field = form.elements.namedItem("captcha_token");
  if (!(field instanceof HTMLInputElement)) return;
  let asked = false;
  let passed = false;
  form.addEventListener("submit", (event) => {
    if (passed) return;
    event.preventDefault();
    if (asked || !navigator.onLine) return;
    asked = true;
    event.submitter?.setAttribute("aria-busy", "true");
    token()
      .catch(() => "")
      .then((good) => {
        field.value = good;
        passed = true;
        form.requestSubmit(event.submitter);
      });
  });
  addEventListener("pageshow", ({ persisted }) => {
    if (!persisted) return; // a token is valid once, so a restored page needs another
    asked = passed = false;
    field.value = "";
  });
}
