import * as z from "zod/mini";
import { parseJSON } from "../runtime/schema.ts";

/** A refusal of the server, with words for the person. */
class Refusal extends Error {}

/** What the server asks a passkey to do: to be created, or to sign. The browser checks it. */
const reply = z.object({ publicKey: z.optional(z.any()), message: z.optional(z.string()) });

const cancelled = "No passkey was used. Try again, or choose another way.";
const faults: Record<string, string> = {
  NotAllowedError: cancelled,
  AbortError: cancelled,
  InvalidStateError: "This device has a passkey for your account already.",
};
const unknown = "This did not work. Reload this page and try again.";

/** Shows a form's passkey button, if the browser has passkeys, and posts the form with the passkey's answer. */
export function offerPasskey(form: HTMLFormElement): void {
  if (!window.PublicKeyCredential?.parseCreationOptionsFromJSON) return;
  const buttons = [...document.querySelectorAll<HTMLButtonElement>("button[data-passkey-button]")].filter(
    (button) => button.form === form,
  );
  for (const part of [...form.querySelectorAll<HTMLElement>("[hidden]:not(input)"), ...buttons]) part.hidden = false;
  const answer = form.querySelector<HTMLInputElement>("input[data-answer]");
  const fault = form.querySelector<HTMLElement>("[data-fault]");
  let asking = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (asking || !answer || !fault) return;
    asking = true;
    fault.textContent = "";
    try {
      answer.value = JSON.stringify(await use(form.dataset.passkey ?? ""));
      form.submit();
    } catch (error) {
      const name = error instanceof Error || error instanceof DOMException ? error.name : "";
      fault.textContent = error instanceof Refusal ? error.message : (faults[name] ?? unknown);
    } finally {
      asking = false;
    }
  });
}

/** Asks the server for a challenge, lets the person's passkey sign it, and returns the answer. */
async function use(address: string): Promise<unknown> {
  const response = await fetch(address, {
    method: "POST",
    headers: { accept: "application/json" },
    body: new URLSearchParams(),
  });
  const answer = parseJSON(reply, await response.text());
  if (!response.ok) throw new Refusal(answer?.message ?? unknown);
  const publicKey = answer?.publicKey;
  if (!publicKey) throw new Refusal(unknown);
  const credential =
    "rp" in publicKey
      ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(publicKey) })
      : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(publicKey) });
  if (!(credential instanceof PublicKeyCredential)) throw new Refusal(cancelled);
  return credential.toJSON();
}
