// Finds, shows and announces errors while a form is filled in; shared by islands with different states.
import type { Refusal } from "../runtime/api.ts";
import { checkOnly, type Env, type Fault, type Form } from "./check.ts";
import type { Moment } from "./island.ts";
import { fromWire } from "./wire.ts";

/** The part of a state with faults and announcements. */
export interface Judged {
  view: {
    faults: Fault[];
    /** Errors of the last attempt to send the form; the summary lists them. */
    summary: Fault[];
    /** Screen reader announcement. */
    status: string;
  };
  /** Fields whose errors may show: the visitor has left them, or a button needed them. */
  touched: ReadonlySet<string>;
  /** The server's errors by field, each until its value changes. */
  serverFaults: ReadonlyMap<string, { message: string; value: string }>;
  /** The last announcement. */
  heard: string;
  /** The field, or "summary", to focus once rendered; a new value for each request. */
  focus: { name: string } | undefined;
}

/** @param refuse shows errors to the visitor */
export function judging<S extends Judged>(
  form: Form,
  envOf: (view: S["view"]) => Env,
  refuse: (view: S["view"], faults: Fault[]) => S["view"],
) {
  /**
   * Checks the touched fields. A server's error stays until its value changes, and comes before ours. A field that stops applying
   * counts as untouched when it applies again.
   */
  function judge(state: S, { typed }: Moment): S {
    const { clean, faults } = checkOnly(form, typed, envOf(state.view), ...state.touched);
    for (const [field, { message, value }] of state.serverFaults) {
      if (value !== (typed[field] ?? "")) continue;
      const found = faults.find((fault) => fault.field === field);
      if (found) found.message = message;
      else faults.push({ field, message });
    }
    const view = refuse(state.view, faults);
    const summary = view.summary.flatMap((listed) => stillWrong(listed, view));
    return { ...state, touched: new Set(Object.keys(clean)), view: { ...view, summary } };
  }

  /** Removes corrected fields from the summary and updates changed errors. */
  const stillWrong = (listed: Fault, view: S["view"]): Fault[] =>
    listed.field ? view.faults.filter(({ field }) => field === listed.field) : [listed];

  const touch = (state: S, fields: readonly string[]): S => ({
    ...state,
    touched: new Set([...state.touched, ...fields]),
  });

  /** Removes a field's error and stops checking the field. */
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

  /** Stores the server's errors that our rules do not find. */
  function remember(state: S, faults: Fault[], { typed }: Moment): S {
    const { faults: own } = checkOnly(form, typed, envOf(state.view), ...state.touched);
    const serverFaults = new Map(state.serverFaults);
    for (const { field, message } of faults)
      if (field && !own.some((fault) => fault.field === field))
        serverFaults.set(field, { message, value: typed[field] ?? "" });
    return { ...state, serverFaults };
  }

  /** Announces a sentence. A repeated one gets an extra space, otherwise screen readers would not read it again. */
  function speak(state: S, text: string): S {
    const status = text && text === state.heard ? `${text}\u00a0` : text;
    return { ...state, view: { ...state.view, status }, heard: status || state.heard };
  }

  const focusOn = (state: S, name: string): S => ({ ...state, focus: { name } });

  /** Lists errors above the form and focuses the list. */
  function summarise(state: S, faults: Fault[], moment: Moment): S {
    const next = remember(state, faults, moment);
    const view = refuse(next.view, faults);
    return focusOn({ ...next, view: { ...view, summary: view.faults } }, "summary");
  }

  /**
   * Returns a response's errors by the form's fields. The response's message covers errors without a field.
   * @param names fields that this call names differently
   */
  const faultsOf = ({ errors }: Pick<Refusal, "errors">, names: Record<string, string> = {}): Fault[] =>
    Object.entries(errors)
      .map(([wire, message]) => ({ field: names[wire] ?? fromWire(form, wire), message }))
      .filter(({ field }) => form.fields.some(({ name }) => name === field));

  return { judge, touch, untouch, withoutServerFault, remember, speak, focusOn, summarise, faultsOf };
}
