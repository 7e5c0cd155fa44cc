// The enrolment island: hydrates the server's form. runtime loads it when the visitor first touches the form.
import type { Root } from "react-dom/client";
import { hydrate } from "../forms/hydrate.ts";
import { unfoldedIn } from "../forms/layout.ts";
import { parseJSON } from "../runtime/schema.ts";
import { useEnrolment } from "./enrolment.ts";
import { type Slots, Ticket } from "./Ticket.tsx";
import { type View, viewSchema } from "./view.ts";

interface IslandProps {
  /** The server's HTML. */
  start: View;
  /** Groups that the visitor had already unfolded. */
  unfolded: string[];
  slots: Slots;
  go: (address: string) => void;
}

export function EnrolmentIsland({ start, unfolded, slots, go }: IslandProps) {
  const { view, paymentPending, summary, onFold, handlers } = useEnrolment(start, unfolded, go);
  return <Ticket view={view} waits={paymentPending} slots={slots} summary={summary} onFold={onFold} {...handlers} />;
}

/**
 * Hydrates the form in root and keeps what the visitor has typed, ticked or unfolded.
 * @param root the element around the form, .island-root
 * @param view the server's view
 * @param go leaves the page
 */
export function mount(root: HTMLElement, view: View, go = (address: string) => location.assign(address)): Root {
  const slot = (name: string) => root.querySelector(`[data-slot="${name}"]`)?.innerHTML ?? "";
  return hydrate(
    root,
    <EnrolmentIsland
      start={view}
      unfolded={unfoldedIn(root)}
      slots={{ head: slot("head"), help: slot("help"), call: slot("call") }}
      go={go}
    />,
  );
}

/**
 * Starts the island; runtime calls it with the element that holds the view as JSON and the form. If the view is unreadable, the
 * form stays as it is and works without this script.
 */
export default function start(place: HTMLElement): Root | undefined {
  const root = place.querySelector<HTMLElement>(".island-root");
  const payload = place.querySelector('script[type="application/json"]')?.textContent ?? "";
  const view = parseJSON(viewSchema, payload);
  return root && view ? mount(root, view) : undefined;
}
