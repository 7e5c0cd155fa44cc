// The island's state, apart from the fields' values.
import type { Judged } from "../forms/judging.ts";
import { type Payload, type View, viewOf } from "./view.ts";

export interface State extends Judged {
  view: View;
  /** Whether NEXT was pressed while offline: the step is sent once the browser is online. */
  waitsToSend: boolean;
  leaving: boolean;
}

export const stateOf = (payload: Payload): State => ({
  view: viewOf(payload),
  touched: new Set(payload.faults.map(({ field }) => field).filter(Boolean)),
  serverFaults: new Map(),
  heard: "",
  focus: undefined,
  waitsToSend: false,
  leaving: false,
});

export const withView = (state: State, change: Partial<View>): State => ({
  ...state,
  view: { ...state.view, ...change },
});
