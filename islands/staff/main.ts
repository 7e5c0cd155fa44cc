// The staff area: passkeys, the button that shows a password, counts and progress of prints. Its pages work without this script.
import { count } from "./count";
import { offerPasskey } from "./passkey";
import { showPassword } from "./password";
import { renew } from "./renew";

document.querySelectorAll<HTMLFormElement>("form[data-passkey]").forEach(offerPasskey);
document.querySelectorAll<HTMLButtonElement>("button[data-show]").forEach(showPassword);
document.querySelectorAll<HTMLFormElement>("form[data-count]").forEach(count);
for (const part of document.querySelectorAll<HTMLElement>("[data-renew]")) renew(part);
