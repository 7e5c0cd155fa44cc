// What is wrong with a form while it is filled in, and how it is said: for the islands, each with a state of its own.
import type { Refusal } from "../runtime/api.ts";
import { checkOnly, type Env, type Fault, type Form } from "./check.ts";
import type { Moment } from "./island.ts";
import { fromWire } from "./wire.ts";

/** The part of a state with faults and announcements. */
export interface Judged {
  view: {
    faults: Fault[];
    /** The faults of the last try to send the form, which the summary lists. */
    summary: Fault[];
    /** Screen reader announcement. */
    status: string;
  };
  /** The fields that are judged: those that were left, or that a button needed. */
  touched: ReadonlySet<string>;
  /** What only the server knows to be wrong, by field, while its value stays. */
  serverFaults: ReadonlyMap<string, { message: string; value: string }>;
  /** What was read out last. */
  heard: string;
  /** The field, or "summary", to focus once rendered; a new value for each request. */
  focus: { name: string } | undefined;
}

/** @param refuse shows faults where a visitor can see them */
export function judging<S extends Judged>(
  form: Form,
  envOf: (view: S["view"]) => Env,
  refuse: (view: S["view"], faults: Fault[]) => S["view"],
) {
  /**
   * Judges what was touched so far. What the server said of a value holds until the value changes. A field that is out of the
   * question counts as untouched when it is asked for again.
   */
  function judge(state: S, { typed }: Moment): S {
    const { clean, faults } = checkOnly(form, typed, envOf(state.view), ...state.touched);
    for (const [field, { message, value }] of state.serverFaults)
      if (value === (typed[field] ?? "")) faults.push({ field, message });
    const view = refuse(state.view, faults);
    const summary = view.summary.flatMap((listed) => stillWrong(listed, view));
    return { ...state, touched: new Set(Object.keys(clean)), view: { ...view, summary } };
  }

  /** Removes corrected fields from the summary and updates changed faults. */
  const stillWrong = (listed: Fault, view: S["view"]): Fault[] =>
    listed.field ? view.faults.filter(({ field }) => field === listed.field) : [listed];

  const touch = (state: S, fields: readonly string[]): S => ({
    ...state,
    touched: new Set([...state.touched, ...fields]),
  });

  /** Forgets what was wrong with a field, and judges it no more. */
  function untouch(state: S, field: string): S {
    const touched = new Set(state.touched);
    touched.delete(field);
    return { ...withoutServerFault(state, field), touched };
  }

  function withoutServerFault(state: S, field: string): S {
    const serverFaults = new Map(state.serverFaults);
    serverFaults.delete(field);
    return { ...state, serverFaults };
  }

  /** Remembers faults that our own rules do not find. */
  function remember(state: S, faults: Fault[], { typed }: Moment): S {
    const { faults: own } = checkOnly(form, typed, envOf(state.view), ...state.touched);
    const serverFaults = new Map(state.serverFaults);
    for (const { field, message } of faults)
      if (field && !own.some((fault) => fault.field === field))
        serverFaults.set(field, { message, value: typed[field] ?? "" });
    return { ...state, serverFaults };
  }

  /** Announces a sentence. A repeated one gets a silent extra space, else it would not be read again. */
  function speak(state: S, text: string): S {
    const status = text && text === state.heard ? `${text}\u00a0` : text;
    return { ...state, view: { ...state.view, status }, heard: status || state.heard };
  }

  const focusOn = (state: S, name: string): S => ({ ...state, focus: { name } });

  /** Lists faults above the form and focuses them. */
  function summarise(state: S, faults: Fault[], moment: Moment): S {
    const next = remember(state, faults, moment);
    const view = refuse(next.view, faults);
    return focusOn({ ...next, view: { ...view, summary: view.faults } }, "summary");
  }

  /**
   * The faults of an answer, by the form's fields; what belongs to none of them is left to the answer's message.
   * @param names fields that this call names otherwise than the form's own
   */
  const faultsOf = ({ errors }: Pick<Refusal, "errors">, names: Record<string, string> = {}): Fault[] =>
    Object.entries(errors)
      .map(([wire, message]) => ({ field: names[wire] ?? fromWire(form, wire), message }))
      .filter(({ field }) => form.fields.some(({ name }) => name === field));

  return { judge, touch, untouch, withoutServerFault, remember, speak, focusOn, summarise, faultsOf };
}
