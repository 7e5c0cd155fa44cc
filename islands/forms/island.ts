// Shared by all form islands: a state that events change, the form's fields, and one action at a time.
import { useSyncExternalStore } from "react";
import type { Form, Values } from "./check.ts";
import { type Fields, fieldsOf } from "./fields.ts";

/** Field values and time (ms since 1970) of an event. */
export interface Moment {
  typed: Values;
  now: number;
}

/** Events around a button's action. */
export interface ActionEvents {
  /** An action of a button has begun, or is over; one runs at a time. */
  actionStarted: { action: string };
  actionEnded: object;
  /** The action takes so long that the page must show progress. */
  actionSlow: object;
  /** A screen reader announcement. */
  spoken: { text: string };
}

type EventOf<All> = { [P in keyof All]: { type: P } & All[P] }[keyof All];

export interface Core<State, Event> {
  fields: Fields;
  /** Returns the current state, also to late responses. */
  state(): State;
  dispatch(event: Event): void;
  /** Calls listener after each event, until the function that it returns is called. */
  subscribe(listener: () => void): () => void;
  /** Runs an action unless one is running; its button is busy meanwhile. */
  run(action: string, work: () => Promise<void>): Promise<void>;
  /** Reports whether the focus may be moved; not if the visitor has left the pressed button. */
  mayFocus(): boolean;
}

const patience = 1000; // ms

export function coreOf<State extends { view: { busy: string } }, Event>(
  form: Form,
  initial: State,
  reduce: (state: State, event: Event | EventOf<ActionEvents>, moment: Moment) => State,
): Core<State, Event | EventOf<ActionEvents>> {
  let state = initial;
  const fields = fieldsOf(form);
  let pressedFrom: Element | null = null; // focused element at the start of the action
  const listeners = new Set<() => void>();
  const dispatch = (event: Event | EventOf<ActionEvents>) => {
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
  };
}

/** Returns a part of an island's state. The component renders again when that part changes, not with each key. */
export function usePart<State, T>(
  island: { state(): State; subscribe(listener: () => void): () => void },
  part: (state: State) => T,
): T {
  const current = () => part(island.state());
  return useSyncExternalStore(island.subscribe, current, current);
}
