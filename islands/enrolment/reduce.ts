// Pure reducer of the form: state and event in, next state out.
import type { Moment } from "../forms/island.ts";
import type { Event, Events, Reducers } from "./events.ts";
import { formReducers } from "./reduceForm.ts";
import { paymentReducers } from "./reducePayment.ts";
import { proofReducers } from "./reduceProof.ts";
import type { State } from "./state.ts";
import { settle } from "./steps.ts";

const reducers: Reducers<keyof Events> = { ...formReducers, ...proofReducers, ...paymentReducers };

export function reduce<K extends keyof Events>(state: State, event: Event<K>, moment: Moment): State {
  return settle(reducers[event.type](state, event, moment), moment);
}
