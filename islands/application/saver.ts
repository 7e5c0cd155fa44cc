// Saves input: in this tab at once, on the server a second after the last key.
import type { Core } from "../forms/island.ts";
import { answersOf, keepDraft, otherAccount, otherTab } from "./calls.ts";
import type { Event } from "./events.ts";
import type { State } from "./state.ts";
import { removeTab, saveTab } from "./tab.ts";
import { differing, heldOf } from "./view.ts";

const pause = 1000; // ms after the last key
const longest = 2000; // ms after the first unsent key
export const signedOut = "You are logged out. What you typed is kept in this tab: sign in, and you come back to it.";
const retries = [2000, 4000, 8000, 15_000, 30_000]; // ms, while the server is unreachable

export interface Saver {
  /** Something was typed into a field. */
  typed(field: string): void;
  /** The connection is lost: retries with growing pauses. */
  wait(): void;
  /** Resolves once no draft is being sent; the page's version is then the latest. */
  settle(): Promise<void>;
  /** The connection may be back. */
  retry(): void;
  /** The page is hidden, perhaps closed: sends unsaved input once, without waiting for the response. */
  flush(): void;
  /**
   * The page is left: sends nothing more. posted: the browser posts the form, and the tab keeps the input. overtaken: the same,
   * but another tab or device has saved meanwhile, so its answers are the newer ones.
   */
  rest(how: "saved" | "posted" | "overtaken"): void;
  stop(): void;
}

/** @param next sends the page, if NEXT was pressed while offline */
export function saverOf(island: Core<State, Event>, next: () => void): Saver {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let first = 0; // time of the first unsent key
  let field = "";
  let underway: Promise<void> | undefined;
  let failed = 0; // failures in a row

  const typedNow = () => heldOf(island.state().view, island.fields.values());
  const isOpen = () => differing(island.state().view, typedNow(), island.state().view.kept.values).length > 0;
  const rests = () => {
    const { view, leaving } = island.state();
    return leaving || ["signed out", "other account", "other tab"].includes(view.notice.kind);
  };
  const plan = (delay: number) => {
    clearTimeout(timer);
    timer = setTimeout(start, delay);
  };
  const store = (sent = false, always = false) => {
    const { view } = island.state();
    if (always || isOpen()) saveTab(view, { at: Date.now(), values: typedNow(), version: view.version, field, sent });
    else removeTab(view);
  };

  const wait = (least = 0) => plan(Math.max(least, retries[Math.min(failed++, retries.length - 1)] ?? pause));

  function start(): void {
    if (underway || rests()) return;
    if (island.state().view.busy) {
      plan(pause); // a button is sending the page
    } else if (!navigator.onLine) {
      if (isOpen()) island.dispatch({ type: "unsent" }); // until the browser is online
    } else if (isOpen()) underway = send();
    else if (island.state().waitsToSend) next();
  }

  async function send(): Promise<void> {
    const values = typedNow();
    const { view } = island.state();
    first = 0;
    const answer = await keepDraft(view, values, field);
    underway = undefined;
    if (island.state().leaving) return;
    const isDown = !answer.ok && (answer.status === 0 || answer.status === 429 || answer.status >= 500);
    if (!isDown) failed = 0;
    if (answer.ok) {
      const { draft } = answer.body;
      const held = heldOf(view, answersOf(draft));
      island.dispatch({
        type: "kept",
        version: draft.version,
        at: Date.parse(draft.saved_at),
        values: held,
        sent: values,
      });
      store();
      if (differing(view, typedNow(), values).length > 0) plan(pause);
      if (island.state().waitsToSend) next();
    } else if (answer.status === 401) {
      island.dispatch({ type: "stopped", kind: "signed out", text: signedOut });
    } else if (answer.status === 404) {
      island.dispatch({ type: "stopped", kind: "other account", text: otherAccount });
    } else if (answer.status === 409 && answer.message === otherTab) {
      island.dispatch({ type: "stopped", kind: "other tab", text: otherTab });
    } else if (isDown) {
      island.dispatch({ type: "unsent" });
      wait(answer.retryAfter * 1000);
    } else island.dispatch({ type: "stopped", kind: "failed", text: answer.message });
  }

  return {
    typed(name) {
      if (name) field = name;
      store();
      if (rests()) return;
      const now = Date.now();
      first ||= now;
      if (failed === 0) plan(Math.max(0, Math.min(pause, first + longest - now)));
    },
    wait,
    settle: async () => underway,
    retry: () => plan(0),
    flush() {
      const { view } = island.state();
      const isUnsent = view.kept.phase === "waits" || view.kept.phase === "here";
      if (isUnsent && !rests() && !view.busy) void keepDraft(view, typedNow(), field, true);
    },
    rest(how) {
      clearTimeout(timer);
      if (how !== "saved") return store(true, how === "overtaken");
      removeTab(island.state().view);
      island.fields.settle();
    },
    stop: () => clearTimeout(timer),
  };
}
