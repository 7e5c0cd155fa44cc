// What all parts of the island share: its state, the form's fields, and the way out of the page.
import { useSyncExternalStore } from "react";
import { checkOnly } from "../forms/check.ts";
import type { Refusal } from "../runtime/api.ts";
import type { Event } from "./events.ts";
import { type Fields, fieldsOf } from "./fields.ts";
import { faultsOf } from "./judge.ts";
import { reduce } from "./reduce.ts";
import { type State, stateOf } from "./state.ts";
import { envOf, form, type Notice, type View } from "./view.ts";

export interface Island {
  fields: Fields;
  /** The state as it is now, also for an answer that comes late. */
  state(): State;
  dispatch(event: Event): void;
  /** Calls listener after each event, until the function that it returns is called. */
  subscribe(listener: () => void): () => void;
  notify(text: string, look?: Notice["look"], at?: string): void;
  refused(answer: Refusal, at: string, wire?: Record<string, string>): void;
  /** Judges the fields that a button needs and reports whether they are right; the first at fault takes the focus. */
  ready(...fields: string[]): boolean;
  /** Runs an action unless one runs already; its button is busy meanwhile. */
  run(action: string, work: () => Promise<void>): Promise<void>;
  /** Whether the focus may be moved: not where the visitor has gone on from what was pressed. */
  mayFocus(): boolean;
  leaveFor(address: string): void;
}

const patience = 1000; // ms

/** @param go leaves the page */
export function islandOf(view: View, go: (address: string) => void): Island {
  let state = stateOf(view, Date.now());
  const fields = fieldsOf();
  let pressedFrom: Element | null = null; // what had the focus when an action began
  const isHere = (field = "") => Boolean(field) && document.activeElement === fields.find(field);
  const listeners = new Set<() => void>();
  const dispatch = (event: Event) => {
    state = reduce(state, event, { typed: fields.values(), now: Date.now() });
    for (const listener of listeners) listener();
  };
  return {
    fields,
    state: () => state,
    dispatch,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    notify: (text, look, at) => dispatch({ type: "notified", text, look, at }),
    refused(answer, at, wire) {
      const [first] = faultsOf(answer, wire);
      dispatch({ type: "refused", answer, at, wire, heard: Boolean(first) && !isHere(first?.field) });
    },
    ready(...needed) {
      const { faults } = checkOnly(form, fields.values(), envOf(state.view), ...needed);
      const [first] = faults;
      const here = isHere(first?.field);
      dispatch({ type: "needed", fields: needed });
      if (first && here) dispatch({ type: "spoken", text: first.message });
      return !first;
    },
    async run(action, work) {
      if (state.view.busy) return dispatch({ type: "spoken", text: "Please wait, still sending." });
      pressedFrom = document.activeElement;
      dispatch({ type: "actionStarted", action });
      const slow = setTimeout(() => dispatch({ type: "actionSlow" }), patience);
      try {
        await work();
      } finally {
        clearTimeout(slow);
        dispatch({ type: "actionEnded" });
      }
    },
    mayFocus() {
      const now = document.activeElement;
      const field = pressedFrom?.closest("[data-field]");
      return !now || now === document.body || now === pressedFrom || Boolean(field?.contains(now));
    },
    leaveFor(address) {
      dispatch({ type: "leaving" });
      go(address);
    },
  };
}

/** Returns a part of the island's state. The component renders again when that part changes, not with each key. */
export function usePart<T>(island: Island, part: (state: State) => T): T {
  const current = () => part(island.state());
  return useSyncExternalStore(island.subscribe, current, current);
}
