// What is wrong with the form, and how it is said.
import { checkOnly, type Fault } from "../forms/check.ts";
import { fromWire } from "../forms/wire.ts";
import type { Refusal } from "../runtime/api.ts";
import type { Moment } from "./events.ts";
import { type State, withView } from "./state.ts";
import { envOf, form, type Notice, noNotice, refuse, type View } from "./view.ts";

/** Judges what was touched so far. What the server said of a value holds until the value changes. */
export function judge(state: State, { typed }: Moment): State {
  const { faults } = checkOnly(form, typed, envOf(state.view), ...state.touched);
  for (const [field, { message, value }] of state.serverFaults)
    if (value === (typed[field] ?? "")) faults.push({ field, message });
  const view = refuse(state.view, faults);
  return { ...state, view: { ...view, summary: view.summary.flatMap((listed) => stillWrong(listed, view)) } };
}

/** What is mended leaves the summary, and what is wrong in another way says so. */
const stillWrong = (listed: Fault, view: View): Fault[] =>
  listed.field ? view.faults.filter(({ field }) => field === listed.field) : [listed];

export const touch = (state: State, fields: readonly string[]): State => ({
  ...state,
  touched: new Set([...state.touched, ...fields]),
});

/** Forgets what was wrong with a field, and judges it no more. */
export function untouch(state: State, field: string): State {
  const touched = new Set(state.touched);
  touched.delete(field);
  return { ...withoutServerFault(state, field), touched };
}

export function withoutServerFault(state: State, field: string): State {
  const serverFaults = new Map(state.serverFaults);
  serverFaults.delete(field);
  return { ...state, serverFaults };
}

/** Remembers faults that our own rules do not find. */
export function remember(state: State, faults: Fault[], { typed }: Moment): State {
  const { faults: own } = checkOnly(form, typed, envOf(state.view), ...state.touched);
  const serverFaults = new Map(state.serverFaults);
  for (const { field, message } of faults)
    if (field && !own.some((fault) => fault.field === field))
      serverFaults.set(field, { message, value: typed[field] ?? "" });
  return { ...state, serverFaults };
}

/** Says what happened: read out, and with a look also shown at a field. */
export const notify = (state: State, text: string, look: Notice["look"] = "", at = ""): State =>
  withView(speak(state, text), { said: look ? { text, look, at } : noNotice });

/** Reads a sentence out. What stands there already is read again only because it differs by a space that nobody hears. */
export function speak(state: State, text: string): State {
  const status = text && text === state.heard ? `${text}\u00a0` : text;
  return { ...withView(state, { status }), heard: status || state.heard };
}

export const focusOn = (state: State, name: string): State => ({ ...state, focus: { name } });

/** Lists faults above the form, where the focus goes. */
export function summarise(state: State, faults: Fault[], moment: Moment): State {
  const next = notify(remember(state, faults, moment), "");
  const view = refuse(next.view, faults);
  return focusOn({ ...next, view: { ...view, summary: view.faults } }, "summary");
}

/**
 * The faults of an answer, by the form's fields; what belongs to none of them is left to the answer's message.
 * @param names fields that this call names otherwise than the form's own
 */
export function faultsOf({ errors }: Pick<Refusal, "errors">, names: Record<string, string> = {}): Fault[] {
  return Object.entries(errors)
    .map(([wire, message]) => ({ field: names[wire] ?? fromWire(form, wire), message }))
    .filter(({ field }) => form.fields.some(({ name }) => name === field));
}
