// The enrolment island: hydrates the form that the server wrote. runtime loads it when the form is first touched.
import type { Root } from "react-dom/client";
import { hydrate } from "../forms/hydrate.ts";
import { unfoldedIn } from "../forms/layout.ts";
import { parseJSON } from "../runtime/schema.ts";
import { useEnrolment } from "./enrolment.ts";
import { type Slots, Ticket } from "./Ticket.tsx";
import { type View, viewSchema } from "./view.ts";

interface IslandProps {
  /** What the server wrote. */
  start: View;
  /** The groups that the visitor has unfolded before. */
  unfolded: string[];
  slots: Slots;
  go: (address: string) => void;
}

export function EnrolmentIsland({ start, unfolded, slots, go }: IslandProps) {
  const { view, paymentPending, summary, onFold, handlers } = useEnrolment(start, unfolded, go);
  return <Ticket view={view} waits={paymentPending} slots={slots} summary={summary} onFold={onFold} {...handlers} />;
}

/**
 * Takes over the form inside of root. What the visitor has typed, ticked or unfolded stays.
 * @param root the element around the form, .island-root
 * @param view what the server wrote beside it
 * @param go leaves the page
 */
export function mount(root: HTMLElement, view: View, go = (address: string) => location.assign(address)): Root {
  const slot = (name: string) => root.querySelector(`[data-slot="${name}"]`)?.innerHTML ?? "";
  return hydrate(
    root,
    <EnrolmentIsland start={view} unfolded={unfoldedIn(root)} slots={{ head: slot("head") }} go={go} />,
  );
}

/**
 * What runtime calls with the island's place: the view as JSON, then the form. With a view that cannot be read the form stays
 * as it is: it works without this script, and keeps what was typed.
 */
export default function start(place: HTMLElement): Root | undefined {
  const root = place.querySelector<HTMLElement>(".island-root");
  const payload = place.querySelector('script[type="application/json"]')?.textContent ?? "";
  const view = parseJSON(viewSchema, payload);
  return root && view ? mount(root, view) : undefined;
}
