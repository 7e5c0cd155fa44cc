// What becomes of the state while a phone is proven.
import type { Reducers } from "./events.ts";
import { focusOn, judge, notify, untouch, withoutServerFault } from "./judge.ts";
import { names, people, withCode, withProof, withView } from "./state.ts";
import { unproven } from "./view.ts";

const announceAt = [60, 30, 10]; // seconds: a countdown that is read out every second tells nothing else

type ProofEvents =
  | "codeAsked"
  | "codeSent"
  | "codeResent"
  | "codeLimited"
  | "resendLimited"
  | "codeWrong"
  | "verified"
  | "secondsPassed";

export const proofReducers: Reducers<ProofEvents> = {
  codeAsked: (state, { whose }) => untouch(state, names[whose].code),

  codeSent(state, { whose, number, requestId, resendAfter, expiresAt, request }) {
    const { code } = names[whose];
    const next = withProof(state, whose, { phase: "sent", requestId, number, resendAfter });
    const known = withCode(next, whose, { expiresAt, request, wrong: undefined });
    return focusOn(notify(known, `Code sent to +91 ${number}.`, "done", code), code);
  },

  codeResent(state, { whose, resendAfter, expiresAt }) {
    const { code } = names[whose];
    const next = withCode(withProof(state, whose, { resendAfter }), whose, { expiresAt, wrong: undefined });
    return focusOn(notify(next, `Code sent again to +91 ${state.view[whose].number}.`, "done", code), code);
  },

  codeLimited: (state, { whose, number, resendAfter }) => withProof(state, whose, { ...unproven, number, resendAfter }),

  resendLimited: (state, { whose, resendAfter }) => withProof(state, whose, { resendAfter }),

  codeWrong: (state, { whose, digits, answer }) => withCode(state, whose, { wrong: { digits, answer } }),

  verified(state, { whose, number }, moment) {
    const { code, label } = names[whose];
    const next = untouch(withProof(state, whose, { ...unproven, phase: "verified", number }), code);
    return notify(judge(next, moment), `${label} verified.`);
  },

  secondsPassed(state, { seconds }, moment) {
    let next = state;
    for (const whose of people) {
      const { resendAfter, phase } = state.view[whose];
      if (resendAfter === 0) continue;
      const left = Math.max(0, resendAfter - seconds);
      next = withProof(next, whose, { resendAfter: left });
      if (announceAt.some((mark) => resendAfter > mark && left <= mark))
        next = withView(next, { status: `You can ask for the code again in ${left} seconds.` });
      if (left > 0) continue;
      next = withView(next, { status: "You can ask for the code again now." });
      if (phase === "none")
        next = judge(withoutServerFault(withProof(next, whose, unproven), names[whose].number), moment);
    }
    return next;
  },
};
