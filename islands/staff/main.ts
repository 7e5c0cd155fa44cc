// The staff area: passkeys, and the button that shows a password. Its pages work without this script.
import { offerPasskey } from "./passkey";
import { showPassword } from "./password";

document.querySelectorAll<HTMLFormElement>("form[data-passkey]").forEach(offerPasskey);
document.querySelectorAll<HTMLButtonElement>("button[data-show]").forEach(showPassword);
