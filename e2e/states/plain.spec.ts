import { states } from "../states.ts";
import { sweep } from "../sweep.ts";

// Islands take over the forms of these pages. The others differ little without scripts: `./task test:long` opens them all.
const withIsland =
  /^(landing|enquiry|enrolment|human check|sign in|sign up|verify|application|documents|checkout)\b(?!, (enrolled|unpaid|payment))/;

sweep(
  false,
  process.env.LONG
    ? states
    : states.filter(({ name, needs, refreshes }) => needs || refreshes || withIsland.test(name)),
);
