import { states } from "../states.ts";
import { sweep } from "../sweep.ts";

// Scripts change these pages. The others are the same without: `./task test:long` opens them too.
const scripted =
  /^(landing|enrolment|coupon in the address|apply|application|documents|enquiry|checkout|pay|sign in|sign up|verify|home)\b/;

sweep(false, process.env.LONG ? states : states.filter(({ name, needs }) => needs || scripted.test(name)));
