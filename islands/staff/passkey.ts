/** A refusal of the server, with words for the person. */
class Refusal extends Error {}

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
      fault.textContent = error instanceof Refusal ? error.message : (faults[(error as Error).name] ?? unknown);
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
  const { publicKey, message } = await response.json();
  if (!response.ok) throw new Refusal(message);
  const credential = publicKey.rp
    ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(publicKey) })
    : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(publicKey) });
  return (credential as PublicKeyCredential).toJSON();
}
