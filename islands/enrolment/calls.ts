// The form's calls to the JSON API, each with the schema of its response; api/openapi.yaml is the contract.
import * as z from "zod/mini";
import { accepted, beacon, getGuarded, post, postGuarded } from "../runtime/api.ts";
import type { Challenge } from "../runtime/human.ts";
import { currency, matching, natural, ownAddress } from "../runtime/schema.ts";
import type { View } from "./view.ts";

const { message } = accepted.shape;
const times = { resend_after: natural, expires_in: natural }; // seconds
const resent = z.object({ message, ...times });
const sent = z.object({ message, ...times, request_id: matching(/./) });
const checked = z.object({
  message,
  /** The phone's existing enrolment in this event. */
  scholarship_requested_id: z.optional(z.string()),
  /** Name on that enrolment. */
  fullname: z.optional(z.string()),
  email: z.optional(z.string()),
});
const priced = z.object({ message, data: z.object({ final_amount: natural }) }); // rupees
const enrolled = z.object({ message, scholarship_requested_id: z.string() });
const started = z.object({
  message,
  transactionResponse: z.object({ checkout_url: ownAddress, amount: natural, currency }),
});

/** Returns the fields that name the event in a call. */
export const eventOf = ({ code, subevent }: View) => ({ scholarship_code: code, scholarship_subevent_code: subevent });

export const requestCode = (body: object, work: Challenge | null = null) =>
  postGuarded("/scholarship/v1/user-verification-request", body, sent, work);
export const resendCode = (request_id: string) =>
  postGuarded("/ks-website/v1/resend-otp-for-scholarship-request", { request_id }, resent);
export const checkCode = (body: object) => post("/scholarship/v1/user-request-verify", body, checked);
export const priceWithCoupon = (body: object) => postGuarded("/scholarship/v1/apply-coupon", body, priced);
export const checkReferral = (code: string) => getGuarded(`/v1/users/referralCode/${code}`, accepted);
export const enrol = (body: object) => post("/scholarship/v1/create-scholarship-request", body, enrolled);
export const startPayment = (body: object) => post("/payments/v1/initiate-payment", body, started);

/** Stores the lead of an unfinished enrolment. */
export const sendLead = (lead: object) => beacon("/ks-website/v1/abandoned-enrolment", lead);
