// A step's calls to the JSON API, each with the schema of its response; api/openapi.yaml is the contract.
import * as z from "zod/mini";
import type { Values } from "../forms/check.ts";
import { payloadOf, valuesOf, wireName } from "../forms/wire.ts";
import { accepted, get, post } from "../runtime/api.ts";
import { natural } from "../runtime/schema.ts";
import { form, type Payload } from "./view.ts";

const { message } = accepted.shape;
const answer = z.union([z.string(), z.boolean(), z.array(z.string())]);
const draft = z.object({ version: natural, saved_at: z.string(), answers: z.record(z.string(), answer) });
const drafted = z.object({ message, draft });
const saved = z.object({ message, profile_step: natural });

const toWire = (name: string) => form.fields.filter((field) => field.name === name).map(wireName)[0] ?? name;

const names = form.steps.map(({ name }) => name);

/**
 * Step and registration of a call. The server rejects a registration of another account than the signed-in one: another person
 * may have signed in since.
 */
const stepOf = ({ step, registration }: Payload) => ({
  scholarship_code: "hiresure",
  profile_step: names.indexOf(step) + 1,
  scholarship_requested_id: registration,
});

export const submitStep = (view: Payload, clean: Values) =>
  post(
    "/v2scholarship/v1/submit-form-details",
    { ...stepOf(view), version: view.version, ...payloadOf(form, clean) },
    saved,
  );

/** Saves a draft. field: last edited; keepalive: the page is closing. */
export const keepDraft = (view: Payload, typed: Values, field: string, keepalive = false) =>
  post(
    "/v2scholarship/v1/save-form-draft",
    { ...stepOf(view), version: view.version, ...payloadOf(form, typed), ...(field && { field: toWire(field) }) },
    drafted,
    keepalive,
  );

export const readDraft = (view: Payload) => {
  const { profile_step, ...rest } = stepOf(view);
  const query = new URLSearchParams({ ...rest, profile_step: String(profile_step) });
  return get(`/v2scholarship/v1/form-draft?${query}`, drafted);
};

/** Returns the values of the server's draft by the form's names. */
export const answersOf = ({ answers }: z.infer<typeof draft>): Values => valuesOf(form, answers);

/** The server's response when another tab has saved. */
export const otherTab = "You also changed this page in another tab or on another device. Choose which answers to keep.";

/** Message when the application is not the signed-in account's: another account has signed in. */
export const otherAccount =
  "This page was opened in another account. Sign in with that account to send it. Nothing was saved.";
