// The staff area: keys, menus, passkeys, and the list of registrations. Its pages work without this script.
import { answerKeys, closeMenus } from "./keys";
import { showPassword } from "./password";
import { selectRows } from "./selection";

const forms = (selector: string): HTMLFormElement[] => [...document.querySelectorAll<HTMLFormElement>(selector)];

document.documentElement.dataset.live = ""; // shows what only a script answers
answerKeys();
closeMenus();
document.querySelectorAll<HTMLButtonElement>("button[data-show]").forEach(showPassword);
const passkeys = forms("form[data-passkey]");
if (passkeys.length > 0) import("./passkey").then(({ offerPasskey }) => passkeys.forEach(offerPasskey));

const said = document.getElementById("list-said");
const say = (text: string): void => {
  if (said) said.textContent = text;
};
if (said) selectRows(say);
for (const form of forms("form[data-hx-get]"))
  form.addEventListener("focusin", () => import("./search").then(({ default: search }) => search(form, say)), {
    once: true,
  });
