// The staff area: passkeys, the button that shows a password, and the progress of prints. Its pages work without this script.
import { offerPasskey } from "./passkey";
import { showPassword } from "./password";
import { renew } from "./renew";

document.querySelectorAll<HTMLFormElement>("form[data-passkey]").forEach(offerPasskey);
document.querySelectorAll<HTMLButtonElement>("button[data-show]").forEach(showPassword);
for (const part of document.querySelectorAll<HTMLElement>("[data-renew]")) renew(part);
