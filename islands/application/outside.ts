// Updates the texts in the page's head while the visitor types. The server renders them first (components/rail.templ).
import { tellRail } from "../runtime/rail.ts";
import { clock } from "./clock.ts";
import { countFaults, type View } from "./view.ts";

const signs = {
  saved: '<span class="icon icon-tick" aria-hidden="true"></span>',
  waits:
    '<svg class="saved-ring" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="7.5"></circle></svg>',
  here: '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 4v11M7.5 11L12 15.5 16.5 11M5 20h14"></path></svg>',
};

const goOn = "Continue writing. NEXT sends everything as soon as the connection is back.";

export interface Outside {
  show(view: View): void;
}

/** @param page the document around the form */
export function outsideOf(page: ParentNode): Outside {
  const lede = page.querySelector(".application-intro .lede");
  const own = lede?.textContent ?? "";
  let wrong = page.querySelector(".rail .rail-step b")?.textContent ?? "";
  return {
    show(view) {
      saved(page, view);
      write(lede, view.kept.phase === "here" && view.notice.kind !== "held" ? goOn : own);
      const now = said(view);
      if (now !== wrong) tell(page, now, view);
      wrong = now;
    },
  };
}

/** The text next to the step's number. */
function said(view: View): string {
  if (view.notice.kind === "other tab") return "answers to choose";
  if (view.kept.phase === "here") return "offline";
  return countFaults(view);
}

function tell(page: ParentNode, words: string, { kept }: View): void {
  tellRail(page, words);
  const rail = page.querySelector(".rail");
  rail?.classList.toggle("is-offline", kept.phase === "here");
  if (kept.phase === "here") rail?.classList.remove("is-faulty"); // offline is no error
}

/** Time of the last save, announced once per change, not per key. */
function saved(page: ParentNode, { kept, notice }: View): void {
  const line = page.querySelector(".rail .saved");
  const words = line?.querySelector("span:last-child");
  if (!line || !words) return;
  const stays = kept.here > 0 && ["signed out", "other account"].includes(notice.kind);
  const phase = notice.kind === "other tab" ? "waits" : stays || kept.phase === "left" ? "here" : kept.phase;
  const text = {
    saved: kept.at > 0 ? `Saved ${clock(kept.at)}` : "Not saved yet",
    // No announcement while typing: a save follows within a second.
    waits: notice.kind === "other tab" || kept.at === 0 ? "Not saved yet" : (words.textContent ?? ""),
    here: `Kept here ${clock(kept.here)}`,
  }[phase];
  if (words.textContent === text) return;
  words.textContent = text;
  const sign = phase === "saved" && kept.at === 0 ? "waits" : phase;
  line.firstElementChild?.replaceWith(document.createRange().createContextualFragment(signs[sign]));
}

function write(element: Element | null | undefined, text: string): void {
  if (element && element.textContent !== text) element.textContent = text;
}
