// Pure reducer of a step: state and event in, next state out.
import type { Fault } from "../forms/check.ts";
import type { Moment } from "../forms/island.ts";
import { judging } from "../forms/judging.ts";
import type { Event, Events, Reducers } from "./events.ts";
import { type State, withView } from "./state.ts";
import { differing, envOf, form, isListed, isTyped, noNotice, refuse, watchedFields } from "./view.ts";

const { judge, touch, untouch, remember, speak, focusOn, faultsOf } = judging<State>(form, envOf, refuse);

export const reducers: Reducers = {
  started: (state, { faults }, moment) => remember(state, faults, moment),

  restored(state, { version }, moment) {
    const values = { ...state.view.values };
    for (const name of watchedFields) if (name in moment.typed) values[name] = moment.typed[name] ?? "";
    return keeps(withView(state, { version, values }), moment);
  },

  edited(state, { name }, moment) {
    const { notice, values } = state.view;
    // Typing clears a field's error; leaving the field checks it again.
    let next = untouch(state, name);
    if (watchedFields.has(name)) next = withView(next, { values: { ...values, [name]: moment.typed[name] ?? "" } });
    if (notice.kind === "failed") next = withView(next, { notice: noNotice });
    return keeps(judge(next, moment), moment);
  },

  left(state, { name, judge: isJudged }, moment) {
    // The page moved the focus itself: no field was skipped.
    if (state.focus?.name === name && !moment.typed[name]) return state;
    const next = touch(state, [name]);
    return isJudged ? judge(next, moment) : next;
  },

  judged: (state, _, moment) => judge(state, moment),

  kept(state, { version, at, values, sent }, moment) {
    const kept = { ...state.view.kept, phase: "saved" as const, at, values };
    const notice = state.view.notice.kind === "held" ? state.view.notice : noNotice;
    const next = keeps(withView(state, { version, kept, notice }), moment);
    const { view } = next;
    if (view.kept.phase === "saved" || !sent || differing(view, moment.typed, sent).length > 0) return next;
    return withView(next, { kept: { ...view.kept, phase: "left" } });
  },

  unsent: (state, _, { now }) =>
    withView(state, { kept: { ...state.view.kept, phase: "here", here: state.view.kept.here || now } }),

  stopped: (state, { kind, text }) => speak(withView(state, { notice: { kind, text } }), text),

  incomplete: (state, { faults }, moment) => shown(state, faults, moment),

  refused(state, { answer }, moment) {
    const faults = faultsOf(answer);
    if (faults.length > 0) return shown(state, faults, moment);
    return withView(speak(state, answer.message), { notice: { kind: "failed", text: answer.message } });
  },

  held: (state, { text }) => ({
    ...withView(speak(state, text), { notice: { kind: "held", text } }),
    waitsToSend: true,
  }),

  leaving: (state) => ({ ...state, leaving: true }),

  returned: (state) => ({ ...withView(state, { busy: "" }), leaving: false }),

  actionStarted: (state, { action }) => ({
    ...withView(state, { busy: action, slow: false, notice: noNotice }),
    waitsToSend: false,
  }),
  actionEnded: (state) => (state.leaving ? state : withView(state, { busy: "", slow: false })),
  actionSlow: (state) => (state.view.busy ? speak(withView(state, { slow: true }), "Still sending.") : state),
  spoken: (state, { text }) => speak(state, text),
};

/** Announces whether input is saved. */
function keeps(state: State, { typed, now }: Moment): State {
  const { kept } = state.view;
  const open = differing(state.view, typed, kept.values);
  const phase = open.length === 0 ? "saved" : kept.phase === "here" ? "here" : "waits";
  return withView(state, { kept: { ...kept, phase, open, here: open.length > 0 ? now : 0 } });
}

/** Shows a single error at its field, several in a list above the form. */
function shown(state: State, faults: Fault[], moment: Moment): State {
  const names = faults.map(({ field }) => field).filter(Boolean);
  const next = remember(touch(state, names), faults, moment);
  const view = {
    ...refuse(next.view, faults),
    summary: isListed(faults) ? faults : [],
    toCorrect: isTyped(faults, moment.typed),
  };
  return focusOn({ ...next, view }, isListed(faults) ? "summary" : (names[0] ?? "summary"));
}

export function reduce<K extends keyof Events>(state: State, event: Event<K>, moment: Moment): State {
  return reducers[event.type](state, event, moment);
}
