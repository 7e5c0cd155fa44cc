// Finds the form's errors, and shows and announces them.
import type { Fault } from "../forms/check.ts";
import type { Moment } from "../forms/island.ts";
import { judging } from "../forms/judging.ts";
import { type State, withView } from "./state.ts";
import { envOf, form, type Notice, noNotice, refuse } from "./view.ts";

const judged = judging<State>(form, envOf, refuse);
export const { judge, touch, untouch, withoutServerFault, remember, speak, focusOn, faultsOf } = judged;

/** Announces a message; with a look it is also shown at a field. */
export const notify = (state: State, text: string, look: Notice["look"] = "", at = ""): State =>
  withView(speak(state, text), { said: look ? { text, look, at } : noNotice });

/** Lists errors above the form, focuses the list, and removes the last message. */
export const summarise = (state: State, faults: Fault[], moment: Moment): State =>
  judged.summarise(notify(state, ""), faults, moment);
