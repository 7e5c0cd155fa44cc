// What can happen in a step of the application.
import type { Fault, Values } from "../forms/check.ts";
import type { ActionEvents, Moment } from "../forms/island.ts";
import type { Refusal } from "../runtime/api.ts";
import type { State } from "./state.ts";
import type { Notice } from "./view.ts";

/** Each event by name, with its data. */
export interface Events extends ActionEvents {
  /** The island has started over a form that may have been refused already. */
  started: { faults: Fault[] };
  /** This tab's draft was restored into the form. */
  restored: { version: number };
  /** A field has another value. */
  edited: { name: string };
  /** The focus has left a field. judge: its faults may show now. */
  left: { name: string; judge: boolean };
  judged: object;

  /** The server has stored a draft. sent: its values; codes and a minor's details are not stored. */
  kept: { version: number; at: number; values: Values; sent?: Values };
  /** Offline: input is in this tab only. */
  unsent: object;
  /** The server accepts no more drafts until the visitor acts. */
  stopped: Notice;

  /** NEXT was pressed, and answers are wrong. */
  incomplete: { faults: Fault[] };
  /** The server has refused the step. */
  refused: { answer: Refusal };
  /** The step will be sent once the browser is online. */
  held: { text: string };
  leaving: object;
  /** The browser has restored the page from memory. */
  returned: object;
}

export type Event<K extends keyof Events = keyof Events> = { [P in K]: { type: P } & Events[P] }[K];

/** A table from events to state changes. */
export type Reducers = { [P in keyof Events]: (state: State, event: Event<P>, moment: Moment) => State };
