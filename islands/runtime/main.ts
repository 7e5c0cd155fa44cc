// The one script of every page. It only adds to what works without it, and loads the rest at the first touch of a form.
import { watchIslands } from "./islands";
import { pollResult, redirectAfterCountdown } from "./result";
import { rotate } from "./rotate";
import { onlyOnce } from "./send";
import { clearStorage } from "./storage";
import { dismissible } from "./toast";
import { closeMenuOnChoice, hideWith, pauseOutOfSight, showOffline } from "./view";

const each = (selector: string, act: (element: HTMLElement) => void): void =>
  document.querySelectorAll<HTMLElement>(selector).forEach(act);

each("#menu", closeMenuOnChoice);
each("[data-rotate]", rotate);
document.querySelectorAll("video").forEach(pauseOutOfSight);
each("[data-hide-with]", hideWith);
each("[data-leave]", redirectAfterCountdown);
each("[data-poll]", pollResult);
each("#offline", showOffline);
each("#toasts", dismissible);
each("[data-print]", (button) => button.addEventListener("click", () => print()));
each('[data-outcome="paid"]', clearStorage);
each('form[action="/leave"]', (form) => form.addEventListener("submit", clearStorage));
watchIslands(document);
onlyOnce(document);
