// Reducers of events while the visitor fills in the form.
import { checkOnly } from "../forms/check.ts";
import { openGroups } from "../forms/layout.ts";
import { fromStored, toStored } from "./draft.ts";
import type { Reducers } from "./events.ts";
import { focusOn, judge, remember, speak, touch, untouch, withoutServerFault } from "./judge.ts";
import { names, people, type State, type Whose, withCode, withProof, withView } from "./state.ts";
import { fieldsOf, goOn, settle, stepOf, unfoldOnly } from "./steps.ts";
import { envOf, form, noNotice, unfold, unproven, watchedFields } from "./view.ts";

type FormEvents =
  | "started"
  | "restored"
  | "edited"
  | "left"
  | "judged"
  | "entered"
  | "wentOn"
  | "wentToPay"
  | "reopened"
  | "folded"
  | "needed"
  | "leaving"
  | "returned";

export const formReducers: Reducers<FormEvents> = {
  started(state, { faults, paymentPending }, moment) {
    const fields = faults.map(({ field }) => field);
    // After Back the browser restores values that were already sent: they are no draft.
    const early = state.view.early && "next"; // scripts fold the other steps
    const next = withView(remember(touch(state, fields), faults, moment), { early });
    return { ...next, paymentPending, isDraft: !paymentPending };
  },

  restored(state, { draft, held }, { typed, now }) {
    let next = state;
    for (const whose of people) {
      if (state.view[whose].phase !== "none") continue;
      next = withCode(next, whose, { expiresAt: draft[whose].expiresAt });
      next = withProof(next, whose, fromStored(draft[whose], typed[names[whose].number] ?? "", now));
    }
    const passed = [...new Set([...state.passed, ...(draft.passed ?? [])])];
    const open = held.flatMap((field) => stepOf(next.view, field)?.name ?? []);
    return unfoldOnly({ ...next, passed, view: unfold(next.view, openGroups(form, typed, [])) }, ...open);
  },

  edited(state, { name, value, byVisitor }, moment) {
    let next = { ...state, isDraft: state.isDraft || byVisitor };
    for (const whose of people) {
      if (name === names[whose].number) next = numberEdited(next, whose, value, moment.now);
      if (name === names[whose].code) next = withProof(next, whose, { digits: value.replace(/[^0-9]/g, "").length });
    }
    if (name === "referral_code") {
      if (next.view.referral) next = speak(next, "Referral code changed: it is checked when you leave it.");
      next = { ...withView(withoutServerFault(next, name), { referral: "" }), referralAsked: "" };
    }
    if (name === "guardian_shares_phone" && value === "false")
      next = focusOn(untouch(next, "guardian_phone"), "guardian_phone");
    if (watchedFields.has(name))
      next = withView(next, { values: { ...next.view.values, [name]: moment.typed[name] ?? "" } });
    return next.touched.size > 0 ? judge(next, moment) : next;
  },

  left(state, { name, judge: isJudged }, moment) {
    const next = moment.typed[name] ? touch(state, [name]) : state; // an empty field is not wrong yet
    return isJudged ? judge(next, moment) : next;
  },

  judged: (state, _, moment) => judge(state, moment),

  entered: (state, { name }) => focusOn(state, name),

  wentOn: (state, { step }, moment) => goOn(state, step, moment),

  wentToPay(state) {
    const steps = state.view.steps.map((step) => ({ ...step, unfolded: step.unfolded && step.state !== "done" }));
    return focusOn(withView(state, { steps }), "pay");
  },

  reopened(state, { step }, moment) {
    const [first = ""] = fieldsOf(state.view.steps.find(({ name }) => name === step) ?? { places: [] });
    return focusOn(settle(unfoldOnly(state, step), moment), first);
  },

  folded(state, { group, open }) {
    const others = state.view.open.filter((name) => name !== group);
    if (state.view.open.length > others.length === open) return state;
    return withView(state, { open: open ? [...others, group] : others });
  },

  needed(state, { fields }, moment) {
    const [first] = checkOnly(form, moment.typed, envOf(state.view), ...fields).faults;
    const next = judge(touch(state, fields), moment);
    return first ? focusOn(next, first.field) : next;
  },

  leaving: (state) => ({ ...state, leaving: true }),

  returned: (state, { paymentPending }) => ({ ...withView(state, { busy: "" }), leaving: false, paymentPending }),
};

/** A changed number must be verified again. Changing it back restores its earlier state. */
function numberEdited(state: State, whose: Whose, number: string, now: number): State {
  const proof = state.view[whose];
  const { earlier, expiresAt } = state.codes[whose];
  let next = state;
  if (proof.number && proof.number !== number) {
    const kept = proof.phase === "none" ? (proof.kept ?? "") : proof.number;
    if (proof.phase !== "none") next = withCode(state, whose, { earlier: toStored(proof, expiresAt, now) });
    next = untouch(withView(next, { [whose]: { ...unproven, kept }, said: noNotice }), names[whose].code);
    if (proof.phase === "verified") return speak(next, `${names[whose].label} changed: please verify it again.`);
  }
  if (proof.phase !== "none" || earlier?.number !== number) return next;
  next = withProof(next, whose, fromStored(earlier, number, now));
  return next.view[whose].phase === "verified" ? speak(next, `${names[whose].label} verified.`) : next;
}
