// Every form by name, for tests that compare browser and server. An island bundles only its own.
import enquiry from "../../forms/enquiry.json";
import enrolment from "../../forms/enrolment.json";
import grievance from "../../forms/grievance.json";
import hiresure from "../../forms/hiresure.json";
import signIn from "../../forms/sign-in.json";
import signUp from "../../forms/sign-up.json";
import verify from "../../forms/verify.json";
import type { Form } from "./check";

export const shipped: Record<string, Form> = {
  enquiry,
  enrolment,
  grievance,
  hiresure,
  "sign-in": signIn,
  "sign-up": signUp,
  verify,
};
