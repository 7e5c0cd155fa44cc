// @vitest-environment node
import { describe } from "vitest";
import {
  draft,
  edited,
  now,
  person,
  required,
  sent,
  state,
  stored,
  table,
  touched,
  verified,
  wrong,
} from "./reduceTable.ts";

describe("the form", () => {
  table([
    [
      "that the server has refused is judged at its faults from the start, and what only the server knows holds",
      state(),
      { type: "started", faults: [{ field: "email", message: "In use." }], paymentPending: false },
      person,
      { ...touched("email"), ...wrong("email", "In use.", "asha@example.com"), isDraft: true },
    ],
    [
      "of an enrolment that waits for its payment is no draft",
      state(),
      { type: "started", faults: [], paymentPending: true },
      {},
      { paymentPending: true, isDraft: false },
    ],
    ["is a draft again once it is edited", state({ isDraft: false }), edited("fullname", "A"), {}, { isDraft: true }],
    [
      "that the browser has filled in is no draft",
      state({ isDraft: false }),
      { type: "edited", name: "adult", value: "true", byVisitor: false },
      { adult: "true" },
      { isDraft: false, view: { values: { adult: "true" } } },
    ],
    ["judges nothing that was not left", state(), edited("fullname", ""), {}, { view: { faults: [] } }],
    [
      "says nothing of an empty field that is left",
      state(),
      { type: "left", name: "fullname", judge: true },
      {},
      { view: { faults: [] }, touched: new Set() },
    ],
    [
      "judges a field that is left with a value",
      state(),
      { type: "left", name: "fullname", judge: true },
      { fullname: "A" },
      {
        view: {
          faults: [
            {
              field: "fullname",
              message: "Name must be 2-50 characters and contain only letters.",
            },
          ],
        },
      },
    ],
    [
      "does not move a button away from under a finger",
      state(),
      { type: "left", name: "fullname", judge: false },
      { fullname: "A" },
      { ...touched("fullname"), view: { faults: [] } },
    ],
    [
      "judges what was left once the finger is off",
      state(touched("fullname")),
      { type: "judged" },
      {},
      { view: { faults: [{ field: "fullname", message: required }] } },
    ],
    [
      "takes what is mended off the summary, and leaves what speaks of no field",
      state({
        ...touched("fullname"),
        view: {
          summary: [
            { field: "fullname", message: required },
            { field: "", message: "Closed." },
          ],
        },
      }),
      edited("fullname", "Asha"),
      person,
      { view: { faults: [], summary: [{ field: "", message: "Closed." }] } },
    ],
    [
      "keeps what the server said of a value",
      state(wrong("email", "In use.", "asha@example.com")),
      { type: "judged" },
      person,
      { view: { faults: [{ field: "email", message: "In use." }] } },
    ],
    [
      "no longer says what the server said of another value",
      state(wrong("email", "In use.", "asha@example.com")),
      { type: "judged" },
      { ...person, email: "asha.verma@example.com" },
      { view: { faults: [] } },
    ],
    [
      "folds one part and leaves the others open",
      state({ view: { open: ["more", "choices"] } }),
      { type: "folded", group: "choices", open: false },
      {},
      { view: { open: ["more"] } },
    ],
    [
      "says in the summary what is wrong now",
      state({ ...touched("email"), view: { summary: [{ field: "email", message: "Email is required." }] } }),
      edited("email", "asha"),
      { fullname: "Asha", email: "asha" },
      { view: { summary: [{ field: "email", message: "Enter a valid email address." }] } },
    ],
    [
      "puts the focus on the first field at fault that a button needs",
      state(),
      { type: "needed", fields: ["fullname", "email"] },
      { fullname: "Asha" },
      { focus: { name: "email" }, ...touched("fullname", "email") },
    ],
    [
      "leaves the focus where nothing is wrong",
      state(),
      { type: "needed", fields: ["fullname"] },
      person,
      { focus: undefined },
    ],
    [
      "brings a draft's proof back with what is left of its wait, and opens what holds something",
      state(),
      { type: "restored", draft: { ...draft, phone: stored }, held: [] },
      { ...person, coupon_code: "HALF", consents: "reminders" },
      {
        codes: { phone: { expiresAt: now + 60_000 } },
        view: { phone: { ...sent, resendAfter: 20 }, open: ["choices", "coupon"] },
      },
    ],
    [
      "keeps the server's proof before a draft's",
      state({ view: { phone: verified } }),
      { type: "restored", draft: { ...draft, phone: stored }, held: [] },
      person,
      { view: { phone: verified } },
    ],
    [
      "can be used again when the browser brings it back",
      state({ leaving: true, view: { busy: "pay" } }),
      { type: "returned", paymentPending: true },
      {},
      { leaving: false, paymentPending: true, view: { busy: "" } },
    ],
  ]);
});
