// @vitest-environment node
import { describe } from "vitest";
import {
  edited,
  invalid,
  offline,
  other,
  person,
  priced,
  refusal,
  sent,
  state,
  table,
  verified,
  view,
  wrong,
} from "./reduceTable.ts";
import { form, noNotice, unproven } from "./view.ts";

describe("a button", () => {
  table([
    [
      "that is pressed forgets what was wrong, but not the referral code",
      state({
        serverFaults: new Map([
          ["email", { message: "In use.", value: "a" }],
          ["referral_code", { message: "Invalid.", value: "B" }],
        ]),
        view: { status: "before", said: { text: "x", look: "failed", at: "pay" } },
      }),
      { type: "actionStarted", action: "pay" },
      {},
      {
        serverFaults: new Map([["referral_code", { message: "Invalid.", value: "B" }]]),
        view: { busy: "pay", status: "", said: noNotice },
      },
    ],
    ["is free again", state({ view: { busy: "pay" } }), { type: "actionEnded" }, {}, { view: { busy: "" } }],
    [
      "stays busy while the page is being left",
      state({ leaving: true, view: { busy: "pay" } }),
      { type: "actionEnded" },
      {},
      { view: { busy: "pay" } },
    ],
    [
      "shows what the server refused at its field, by the wire's name",
      state({ view: { phone: sent } }),
      { type: "refused", answer: refusal(422, invalid, { phone_otp: invalid }), at: "otp", wire: { phone_otp: "otp" } },
      { ...person, otp: "123456" },
      {
        focus: { name: "otp" },
        view: { faults: [{ field: "otp", message: invalid }], status: invalid, said: noNotice },
      },
    ],
    [
      "shows a refusal that speaks of no field where it was pressed",
      state(),
      { type: "refused", answer: refusal(500, "Sorry."), at: "coupon_code" },
      {},
      { focus: undefined, view: { said: { text: "Sorry.", look: "failed", at: "coupon_code" } } },
    ],
    [
      "waits where there was no answer",
      state(),
      { type: "refused", answer: refusal(0, offline), at: "coupon_code" },
      {},
      { view: { said: { text: offline, look: "waiting", at: "coupon_code" } } },
    ],
    [
      "that waited says so once one is online",
      state({ view: { said: { text: offline, look: "waiting", at: "pay" } } }),
      { type: "online" },
      {},
      { view: { said: { text: "You are online again.", look: "done", at: "pay" } } },
    ],
    [
      "that failed does not",
      state({ view: { said: { text: "Sorry.", look: "failed", at: "pay" } } }),
      { type: "online" },
      {},
      { view: { said: { text: "Sorry.", look: "failed" } } },
    ],
  ]);
});

describe("a coupon or referral code", () => {
  table([
    [
      "that is applied shows the price with it",
      state(),
      { type: "couponApplied", coupon: "HALFPRICE", final: "₹749.50", saved: "₹749.50" },
      {},
      {
        view: {
          price: priced,
          said: { text: "Coupon applied: ₹749.50 off. You pay ₹749.50.", look: "done", at: "coupon_code" },
        },
      },
    ],
    [
      "that is removed shows the full price, and its field",
      state({ view: { price: priced } }),
      { type: "couponRemoved" },
      {},
      {
        focus: { name: "coupon_code" },
        view: { price: view.price, open: ["coupon"], status: "Coupon removed. You pay ₹1,499." },
      },
    ],
    [
      "that is wrong is told without moving the focus",
      state(),
      { type: "faulted", faults: [{ field: "referral_code", message: "Invalid." }], status: "Invalid." },
      { referral_code: "NOBODY" },
      {
        focus: undefined,
        view: { status: "Invalid.", open: ["more"], faults: [{ field: "referral_code", message: "Invalid." }] },
      },
    ],
    ["is asked about once", state(), { type: "referralAsked", code: "SETU2025" }, {}, { referralAsked: "SETU2025" }],
    [
      "that is right is applied",
      state(),
      { type: "referralApplied", code: "SETU2025", message: "Applied." },
      {},
      { view: { referral: "SETU2025", status: "Applied." } },
    ],
    [
      "that is edited has to be asked about anew",
      state({ ...wrong("referral_code", "Invalid."), referralAsked: "SETU2025", view: { referral: "SETU2025" } }),
      edited("referral_code", "SETU"),
      {},
      { referralAsked: "", serverFaults: new Map(), view: { referral: "" } },
    ],
  ]);
});

describe("a payment", () => {
  const guardian = [
    { field: "guardian_name", message: "Name?" },
    { field: "guardian_phone", message: "Phone?" },
  ];
  table([
    [
      "that is asked for judges every field that applies from now on",
      state(),
      { type: "paymentAsked" },
      {},
      { touched: new Set(form.fields.map(({ name }) => name).filter((name) => !name.startsWith("guardian"))) },
    ],
    [
      "of an incomplete form lists what is missing",
      state(),
      { type: "incomplete", faults: guardian },
      {},
      { focus: { name: "summary" }, view: { summary: guardian, status: "" } },
    ],
    ["begins with what was sent: no draft any more", state(), { type: "enrolled" }, {}, { isDraft: false }],
    [
      "that is refused leaves a draft, the full price, no referral and no proof, as the server says",
      state({
        isDraft: false,
        view: { price: priced, referral: "SETU2025", phone: verified, guardian: { ...verified, number: other } },
      }),
      {
        type: "paymentRefused",
        answer: refusal(422, "…", { coupon_code: "a", referral_code: "b", phone_otp: "c", guardian_otp: "d" }),
      },
      person,
      {
        isDraft: true,
        focus: { name: "summary" },
        view: { price: view.price, referral: "", phone: unproven, guardian: unproven, open: ["more", "coupon"] },
      },
    ],
    [
      "that is refused as a whole is told as a whole",
      state({ view: { phone: verified } }),
      { type: "paymentRefused", answer: refusal(409, "Enrolment is closed.") },
      person,
      { view: { summary: [{ field: "", message: "Enrolment is closed." }], phone: verified } },
    ],
    [
      "that has no answer waits at its button, and loses nothing",
      state({ isDraft: false, view: { price: priced, phone: verified } }),
      { type: "paymentRefused", answer: refusal(0, offline) },
      person,
      {
        isDraft: true,
        focus: undefined,
        view: { price: priced, phone: verified, summary: [], said: { text: offline, look: "waiting", at: "pay" } },
      },
    ],
    ["leaves the page", state(), { type: "leaving" }, {}, { leaving: true }],
  ]);
});
