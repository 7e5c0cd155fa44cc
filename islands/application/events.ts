// What can happen in a step of the application.
import type { Fault, Values } from "../forms/check.ts";
import type { ActionEvents, Moment } from "../forms/island.ts";
import type { Refusal } from "../runtime/api.ts";
import type { State } from "./state.ts";
import type { Notice } from "./view.ts";

/** Each event by name, with what is known of it. */
export interface Events extends ActionEvents {
  /** The island has started over a form that may have been refused already. */
  started: { faults: Fault[] };
  /** What this tab had kept stands in the form again. */
  restored: { version: number };
  /** A field has another value. */
  edited: { name: string };
  /** The focus has left a field. judge: its faults may show now. */
  left: { name: string; judge: boolean };
  judged: object;

  /** The server holds values. sent: those that it got, of which it keeps no codes, nor what is said of who is under 18. */
  kept: { version: number; at: number; values: Values; sent?: Values };
  /** The line is cut: what is typed is in this tab alone. */
  unsent: object;
  /** The server keeps nothing more before something is done about it. */
  stopped: Notice;

  /** NEXT was pressed, and answers are wrong. */
  incomplete: { faults: Fault[] };
  /** The server has refused the step. */
  refused: { answer: Refusal };
  /** The step is sent as soon as there is a line. */
  held: { text: string };
  leaving: object;
  /** The browser has brought the page back from memory. */
  returned: object;
}

export type Event<K extends keyof Events = keyof Events> = { [P in K]: { type: P } & Events[P] }[K];

/** A table that says what becomes of the state. */
export type Reducers = { [P in keyof Events]: (state: State, event: Event<P>, moment: Moment) => State };
