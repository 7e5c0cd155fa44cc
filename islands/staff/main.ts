// The staff area: keys, menus, passkeys, the list of registrations, counts and progress of prints. Its pages work without this script.
import { count } from "./count";
import { answerKeys, closeMenus } from "./keys";
import { showPassword } from "./password";
import { renew } from "./renew";
import { selectRows } from "./selection";

const forms = (selector: string): HTMLFormElement[] => [...document.querySelectorAll<HTMLFormElement>(selector)];

document.documentElement.dataset.live = ""; // shows what needs a script
answerKeys();
closeMenus();
document.querySelectorAll<HTMLButtonElement>("button[data-show]").forEach(showPassword);
document.querySelectorAll<HTMLFormElement>("form[data-count]").forEach(count);
for (const part of document.querySelectorAll<HTMLElement>("[data-renew]")) renew(part);
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
