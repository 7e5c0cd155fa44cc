// @vitest-environment node
import { describe } from "vitest";
import {
  code,
  edited,
  invalid,
  now,
  other,
  person,
  phone,
  type Row,
  refusal,
  sent,
  state,
  stored,
  table,
  touched,
  verified,
  wrong,
} from "./reduceTable.ts";
import { noNotice, unproven } from "./view.ts";

describe("a number", () => {
  table([
    [
      "that changes loses its proof, and its code's messages",
      state({ ...wrong("otp", invalid), ...touched("otp"), view: { phone: sent } }),
      edited("phone_number", other),
      { ...person, phone_number: other },
      {
        view: { phone: { ...unproven, kept: phone }, said: noNotice },
        touched: new Set(),
        serverFaults: new Map(),
        codes: { phone: { earlier: { requestId: "r1", number: phone, resendAt: now + 60_000 } } },
      },
    ],
    [
      "that is changed back is as far as it had come",
      state({ codes: { phone: { ...code, earlier: stored }, guardian: code } }),
      edited("phone_number", phone),
      person,
      { view: { phone: { ...sent, resendAfter: 20 } } },
    ],
    [
      "that only had to wait leaves nothing to come back to",
      state({ view: { phone: { ...unproven, number: phone, resendAfter: 43 } } }),
      edited("phone_number", other),
      {},
      { view: { phone: unproven }, codes: { phone: { earlier: undefined } } },
    ],
    [
      "of the guardian leaves the applicant's alone",
      state({ view: { phone: verified, guardian: { ...sent, number: other } } }),
      edited("guardian_phone", "98"),
      {},
      { view: { phone: verified, guardian: { ...unproven, kept: other } } },
    ],
  ]);
});

describe("a code", () => {
  const wrongOnce = { ...code, wrong: { digits: "123456", answer: refusal(422, invalid) } };
  table([
    [
      "that is sent takes the focus, and may be any digits again",
      state({ codes: { phone: wrongOnce, guardian: { ...code, expiresAt: 7 } } }),
      {
        type: "codeSent",
        whose: "phone",
        number: phone,
        requestId: "r1",
        resendAfter: 60,
        expiresAt: now + 600_000,
        request: { email: "a" },
      },
      person,
      {
        focus: { name: "otp" },
        codes: {
          phone: { wrong: undefined, request: { email: "a" }, expiresAt: now + 600_000 },
          guardian: { expiresAt: 7 },
        },
        view: {
          phone: { ...sent, digits: 0 },
          status: "", // the message waits until the number is looked up
          said: noNotice,
        },
      },
    ],
    [
      "that is sent again keeps its request",
      state({ codes: { phone: wrongOnce, guardian: code }, view: { phone: { ...sent, resendAfter: 0 } } }),
      { type: "codeResent", whose: "phone", resendAfter: 60, expiresAt: now + 600_000 },
      person,
      {
        focus: { name: "otp" },
        codes: { phone: { wrong: undefined, expiresAt: now + 600_000 } },
        view: { phone: { ...sent, digits: 0 }, status: "Code sent again to +91 98765 43210." },
      },
    ],
    [
      "that the server does not send leaves a number to wait for",
      state(),
      { type: "codeLimited", whose: "guardian", number: other, resendAfter: 43, why: "Not now." },
      {},
      {
        view: { phone: { phase: "none" }, guardian: { ...unproven, number: other, resendAfter: 43, why: "Not now." } },
      },
    ],
    [
      "that cannot be sent again yet keeps its request",
      state({ view: { phone: { ...sent, resendAfter: 0 } } }),
      { type: "resendLimited", whose: "phone", resendAfter: 9 },
      {},
      { view: { phone: { ...sent, resendAfter: 9 } } },
    ],
    [
      "that is wrong is remembered with its answer",
      state({ view: { phone: sent } }),
      { type: "codeWrong", whose: "phone", digits: "123456", answer: refusal(422, invalid) },
      {},
      { codes: { phone: { wrong: { digits: "123456", answer: { message: invalid } } } } },
    ],
    [
      "that has ended waits for a new one",
      state({ view: { phone: { ...sent, digits: 6 } } }),
      { type: "codeEnded", whose: "phone", message: "Ended.", resendAfter: 40 },
      {},
      { ...wrong("otp", "Ended."), view: { phone: { ...sent, digits: 0, ended: true, resendAfter: 40 } } },
    ],
    [
      "that is right proves the number",
      state({ ...touched("otp"), view: { phone: sent, said: { text: "x", look: "done", at: "otp" } } }),
      { type: "verified", whose: "phone", number: phone },
      person,
      { touched: new Set(), view: { phone: verified, status: "Mobile number verified.", said: noNotice, faults: [] } },
    ],
    [
      "of a guardian proves theirs",
      state(),
      { type: "verified", whose: "guardian", number: other },
      {},
      { view: { guardian: { phase: "verified", number: other }, status: "Guardian’s mobile number verified." } },
    ],
  ]);
});

describe("the wait for a code", () => {
  const waiting = (resendAfter: number) => state({ view: { phone: { ...sent, resendAfter }, status: "before" } });
  const after = (resendAfter: number, status: string) => ({ view: { phone: { resendAfter }, status } });
  table(
    (
      [
        [60, 1, 59, "before"],
        [31, 1, 30, "before"],
        [40, 15, 25, "before"],
        [2, 1, 1, "before"],
        [1, 1, 0, "You can ask for the code again now."],
        [20, 3600, 0, "You can ask for the code again now."],
      ] as const
    ).map(
      ([left, seconds, now, status]): Row => [
        `of ${left} s, ${seconds} s later: "${status}"`,
        waiting(left),
        { type: "secondsPassed", seconds },
        {},
        after(now, status),
      ],
    ),
  );
  table([
    [
      "that a limit has set takes its reason with it",
      state({ view: { phone: { ...unproven, kept: other, number: phone, resendAfter: 1, why: "Not now." } } }),
      { type: "secondsPassed", seconds: 1 },
      person,
      { view: { phone: { ...unproven, kept: other }, status: "You can ask for the code again now." } },
    ],
    [
      "runs for both numbers",
      state({ view: { phone: sent, guardian: { ...sent, resendAfter: 20 } } }),
      { type: "secondsPassed", seconds: 5 },
      {},
      { view: { phone: { resendAfter: 55 }, guardian: { resendAfter: 15 } } },
    ],
  ]);
});
