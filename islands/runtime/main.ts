// The script of every page. Pages work without it; it loads the islands at the first touch of a form.
import { watchIslands } from "./islands";
import { chooseRank } from "./rank";
import { arrive, pollResult, redirectAfterCountdown } from "./result";
import { rotate } from "./rotate";
import { onlyOnce } from "./send";
import { copyOnClick, share } from "./share";
import { rememberSource } from "./source";
import { clearStorage, load, typedName } from "./storage";
import { dismissible } from "./toast";
import {
  beginForm,
  closeMenuOnChoice,
  closeMenuOutside,
  hideWith,
  keepOpen,
  openAnswers,
  openDialog,
  pauseOutOfSight,
  playWhenOpened,
  pullSideways,
  showOffline,
} from "./view";

const each = (selector: string, act: (element: HTMLElement) => void): void =>
  document.querySelectorAll<HTMLElement>(selector).forEach(act);

each("#menu", closeMenuOnChoice);
each("#enrol", beginForm);
each("[data-menu]", closeMenuOutside);
each("[data-dialog]", openDialog);
each("[data-rotate]", rotate);
document.querySelectorAll("video").forEach(pauseOutOfSight);
each("#film-player", playWhenOpened);
each("[data-ranks]", chooseRank);
each("[data-hide-with]", hideWith);
each("[data-sideways]", pullSideways);
each("[data-leave]", redirectAfterCountdown);
each("[data-poll]", pollResult);
each("[data-arrives]", arrive);
each("[data-share]", share);
each("[data-copy]", copyOnClick);
each("#offline", showOffline);
each("#toasts", dismissible);
each("[data-print]", (button) => button.addEventListener("click", () => print()));
each("[data-typed-name]", (place) => {
  place.textContent = load(typedName) || place.textContent;
});
// A paid payment clears the tab's storage, unless it is another person's: then the visitor's own input stays.
each('[data-outcome="paid"]', () => load(typedName) || clearStorage());
// A form for another number keeps its input.
each('form:is([action="/leave"], [action="/account/log-out"]):not(:has([name="enrol"]))', (form) =>
  form.addEventListener("submit", clearStorage),
);
rememberSource();
openAnswers(document);
keepOpen(document);
watchIslands(document);
onlyOnce(document);
