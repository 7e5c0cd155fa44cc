// What is wrong with the form, and how it is said.
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

/** Lists faults above the form, focuses them, and ends the last message. */
export const summarise = (state: State, faults: Fault[], moment: Moment): State =>
  judged.summarise(notify(state, ""), faults, moment);
