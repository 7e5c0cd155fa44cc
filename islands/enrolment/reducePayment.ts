// Reducers of pressed buttons, applied codes and the sent form.
import { check } from "../forms/check.ts";
import type { Reducers } from "./events.ts";
import { faultsOf, focusOn, judge, notify, remember, speak, summarise, touch, untouch } from "./judge.ts";
import { type State, withView } from "./state.ts";
import { firstField, settle, undone, unfoldOnly } from "./steps.ts";
import { envOf, form, noNotice, unfold, unproven, type View } from "./view.ts";

type PaymentEvents =
  | "actionStarted"
  | "actionSlow"
  | "actionEnded"
  | "spoken"
  | "notified"
  | "refused"
  | "faulted"
  | "online"
  | "couponApplied"
  | "couponRemoved"
  | "couponLeftOut"
  | "referralAsked"
  | "referralApplied"
  | "pressedEarly"
  | "paymentAsked"
  | "incomplete"
  | "enrolled"
  | "paymentRefused";

const sending = "Sending…";

export const paymentReducers: Reducers<PaymentEvents> = {
  actionStarted(state, { action }) {
    const serverFaults = new Map([...state.serverFaults].filter(([field]) => field === "referral_code"));
    return { ...withView(state, { busy: action, slow: false, said: noNotice, status: "" }), serverFaults };
  },

  actionSlow: (state) => speak(withView(state, { slow: true }), sending),

  actionEnded(state) {
    if (state.leaving) return state;
    const status = state.view.status === sending ? "" : state.view.status;
    return withView(state, { busy: "", slow: false, status });
  },

  spoken: (state, { text }) => speak(state, text),

  notified: (state, { text, look, at }) => notify(state, text, look, at),

  refused(state, { answer, at, wire, heard }, moment) {
    const faults = faultsOf(answer, wire);
    const next = judge(remember(state, faults, moment), moment);
    const [first] = faults;
    if (!first) return notify(next, answer.message, answer.status === 0 ? "waiting" : "failed", at);
    return focusOn(notify(next, heard ? "" : answer.message), first.field);
  },

  faulted(state, { faults, status, focus }, moment) {
    let next = judge(remember(state, faults, moment), moment);
    if (status) next = withView(next, { status });
    return focus ? focusOn(next, focus) : next;
  },

  online(state) {
    const { look, at } = state.view.said;
    return look === "waiting" ? notify(state, "You are online again.", "done", at) : state;
  },

  couponApplied(state, { coupon, final, saved }) {
    const next = withView(state, { price: { ...state.view.price, coupon, final, saved } });
    return notify(next, `Coupon applied: ${saved} off. You pay ${final}.`, "done", "coupon_code");
  },

  couponRemoved(state) {
    const view = unfold(withoutCoupon(state.view), ["coupon"]);
    return focusOn(notify({ ...state, view }, `Coupon removed. You pay ${view.price.fee}.`), "coupon_code");
  },

  couponLeftOut(state, _, moment) {
    const view = { ...withoutCoupon(state.view), open: state.view.open.filter((name) => name !== "coupon") };
    const steps = view.steps.map((step) => ({ ...step, unfolded: step.unfolded && step.state !== "done" }));
    const next = judge(untouch({ ...state, view: { ...view, steps } }, "coupon_code"), moment);
    const open = next.view.steps.find(({ unfolded }) => unfolded);
    const said = notify(next, `No coupon. You pay ${next.view.price.fee}.`);
    return focusOn(said, open ? firstField(open, next, moment) : "pay");
  },

  referralAsked: (state, { code }) => ({ ...state, referralAsked: code }),

  referralApplied: (state, { code, message }) => withView(state, { referral: code, status: message }),

  /** Lists what is left to do. Only what is typed can be wrong. */
  pressedEarly(state, _, moment) {
    const { clean } = check(form, moment.typed, envOf(state.view));
    const typed = touch(
      passAll(state),
      Object.keys(clean).filter((name) => moment.typed[name]),
    );
    const early = judge(withView(typed, { early: "next", summary: [], said: noNotice, status: "" }), moment);
    const settled = settle(unfoldOnly(early), moment);
    const [next] = undone(settled.view);
    return focusOn(settle(unfoldOnly(settled, next?.name ?? ""), moment), "summary");
  },

  paymentAsked(state, _, { typed }) {
    return touch(withView(passAll(state), { early: "" }), Object.keys(check(form, typed, envOf(state.view)).clean));
  },

  incomplete: (state, { faults }, moment) => summarise(state, faults, moment),

  enrolled: (state) => ({ ...state, isDraft: false }),

  /** Lists the errors. A rejected coupon restores the full price, and a lost verification must be repeated. */
  paymentRefused(state, { answer }, moment) {
    const { errors, message, status } = answer;
    const change: Partial<View> = {
      ...(errors.coupon_code && { price: fullPrice(state.view) }),
      ...(errors.referral_code && { referral: "" }),
      ...(errors.phone_otp && { phone: unproven }), // the session with the verification has ended
      ...(errors.guardian_otp && { guardian: unproven }),
    };
    const next = { ...withView(state, { ...change, early: "" }), isDraft: true };
    if (status === 0) return notify(next, message, "waiting", "pay");
    const faults = faultsOf(answer);
    return summarise(next, faults.length > 0 ? faults : [{ field: "", message }], moment);
  },
};

const passAll = (state: State): State => ({ ...state, passed: state.view.steps.map(({ name }) => name) });

/** Removes the coupon and empties its field. */
const withoutCoupon = (view: View): View => ({
  ...view,
  price: fullPrice(view),
  values: { ...view.values, coupon_code: "" },
});

const fullPrice = ({ price }: View): View["price"] => ({ ...price, coupon: "", saved: "", final: price.fee });
