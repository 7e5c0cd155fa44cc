import { states } from "../states.ts";
import { sweep } from "../sweep.ts";

// Scripts change nothing of these pages but menus: `./task test:long` opens them without scripts too.
const unscripted =
  /^(registrations?|my data|receipt|ticket|invoice|paper|exam|questions|privacy notice|legal disclosure|terms|refund policy|unknown payment|dead link|nothing here|components|payments|what happens to a payment|outbox|log out)\b/;

sweep(
  false,
  process.env.LONG
    ? states
    : states.filter(({ name, needs, refreshes }) => needs || refreshes || !unscripted.test(name)),
);
