// Reducers of a phone's verification.
import { fromStored, toStored } from "./draft.ts";
import type { Reducers } from "./events.ts";
import { focusOn, judge, notify, untouch } from "./judge.ts";
import { names, people, withCode, withProof, withView } from "./state.ts";
import { checkFirst, goOn, mobile, waitText } from "./steps.ts";
import { unproven } from "./view.ts";

type ProofEvents =
  | "codeSent"
  | "codeResent"
  | "numberWanted"
  | "codeWanted"
  | "codeLimited"
  | "resendLimited"
  | "codeEnded"
  | "codeWrong"
  | "verified"
  | "secondsPassed";

export const proofReducers: Reducers<ProofEvents> = {
  codeSent(state, { whose, number, requestId, resendAfter, expiresAt, request }) {
    const { code } = names[whose];
    const next = withProof(state, whose, {
      phase: "sent",
      requestId,
      number,
      resendAfter,
      why: "",
      digits: 0,
      ended: false,
    });
    const known = withCode(next, whose, { expiresAt, request, wrong: undefined });
    return focusOn(notify(known, ""), code); // the message waits for the number's look-up
  },

  codeResent(state, { whose, resendAfter, expiresAt }, moment) {
    const { code } = names[whose];
    const known = withProof(state, whose, { resendAfter, digits: 0, ended: false });
    const next = untouch(withCode(known, whose, { expiresAt, wrong: undefined }), code);
    return focusOn(
      notify(judge(next, moment), `Code sent again to ${mobile(state.view[whose].number)}.`, "done", code),
      code,
    );
  },

  numberWanted(state, { whose }, { now }) {
    const { code, number } = names[whose];
    const earlier = toStored(state.view[whose], state.codes[whose].expiresAt, now);
    const next = withView(withCode(state, whose, { earlier }), {
      [whose]: { ...unproven, kept: state.view[whose].number },
    });
    return focusOn(notify(untouch(next, code), ""), number);
  },

  codeWanted(state, { whose }, { now }) {
    const { earlier } = state.codes[whose];
    if (!earlier) return state;
    const next = withProof(state, whose, fromStored(earlier, earlier.number, now));
    return focusOn(
      notify(next, `Code sent to ${mobile(earlier.number)}.`, "done", names[whose].code),
      names[whose].code,
    );
  },

  codeLimited: (state, { whose, number, resendAfter, why, work }) =>
    notify(
      withProof(withCode(state, whose, { work }), whose, {
        ...unproven,
        kept: state.view[whose].kept ?? "",
        number,
        resendAfter,
        why,
      }),
      `${why} ${work ? checkFirst : `You can ask for one here in ${waitText(resendAfter)}.`}`,
    ),

  resendLimited: (state, { whose, resendAfter }) => withProof(state, whose, { resendAfter }),

  codeEnded(state, { whose, message, resendAfter }) {
    const next = withProof(state, whose, { ended: true, digits: 0, resendAfter });
    return { ...next, serverFaults: new Map([...state.serverFaults, [names[whose].code, { message, value: "" }]]) };
  },

  codeWrong: (state, { whose, digits, answer }) => withCode(state, whose, { wrong: { digits, answer } }),

  verified(state, { whose, number }, moment) {
    const { code, label } = names[whose];
    const next = untouch(withProof(state, whose, { ...unproven, phase: "verified", number }), code);
    const said = notify(judge(next, moment), `${label} verified.`);
    if (whose === "phone") return goOn(said, "phone", moment);
    const open = said.view.open.filter((group) => group !== "guardian");
    return focusOn(withView(said, { open }), "agreed_terms_conditions");
  },

  secondsPassed(state, { seconds }) {
    let next = state;
    for (const whose of people) {
      const { resendAfter, phase, kept = "" } = state.view[whose];
      if (resendAfter === 0) continue;
      const left = Math.max(0, resendAfter - seconds);
      next = withProof(next, whose, { resendAfter: left });
      if (left > 0) continue; // each second, spoken, would drown every other announcement
      next = withView(next, { status: "You can ask for the code again now." });
      if (phase === "none") next = withProof(next, whose, { ...unproven, kept });
    }
    return next;
  },
};
