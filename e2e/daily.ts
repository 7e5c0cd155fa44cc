// The states of the everyday run; `./task test:long` opens all.
import { providerStates } from "./provider-states.ts";
import { type State, states } from "./states.ts";

/** Differ from another state by a sentence or by what is filled in. */
const similar = [
  "exam, second event",
  "apply, second event",
  "questions, not found",
  "landing, payment failed",
  "landing, payment checked",
  "enrolment, code sent",
  "enrolment, code asked for elsewhere",
  "enrolment, step done",
  "enrolment, verified, coupon applied",
  "sign in, code half typed",
  "sign in, code by e-mail",
  "sign in, code wrong too often",
  "my data, file not made",
  "my data, deletion would wait",
  "registrations, refunded and anew",
  "registrations, nothing waits",
  "registration, open",
  "registration, failed",
  "registration, free",
  "registration, application failed",
  "home, failed",
  "home, refunded",
  "home, application begun",
  "home, application to pay",
  "application, step 1, one error",
  "application, step 2, empty",
  "application, step 2, half typed",
  "application, step 3, empty",
  "application, guardian, code sent",
  "fee, still open",
  "fee, to try again",
  "fee, checkout, deletion asked",
  "fee, failed, another open",
  "fee, failed, another arrived",
  "fee, failed, another checked",
  "success, failed, another open",
  "success, failed, another arrived",
  "success, failed, another checked",
  "documents, begun before",
  "documents, stopped without a line",
];

/** Pages whose form an island takes over, each in the states that show most of it: they are opened without scripts too. */
const withIsland = [
  "landing",
  "enquiry, errors",
  "enrolment, errors",
  "enrolment, ready",
  "enrolment, guardian",
  "checkout",
  "sign in, error",
  "sign in, code wrong",
  "sign up, errors",
  "verify, error",
  "application, step 1, errors",
  "application, step 2",
  "application, step 3, errors",
  "application, two tabs",
  "application, review, error",
  "application, guardian, code wrong",
  "application, signed out in the middle",
  "documents, refused",
  "documents, ready",
];

const known = new Set([...states, ...providerStates].map(({ name }) => name));
for (const name of [...similar, ...withIsland]) if (!known.has(name)) throw new Error(`no state is named ${name}`);

/** Reports whether the everyday run opens a state with or without scripts. */
export function isDaily({ name, needs, refreshes }: State, scripts: boolean): boolean {
  return scripts ? !similar.includes(name) : Boolean(needs || refreshes) || withIsland.includes(name);
}
