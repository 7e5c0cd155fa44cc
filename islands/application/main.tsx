// The island over a step of the application: hydrates the form that the server wrote. runtime loads it with
// the page, so that what is typed is kept however soon the line is cut.
import type { Root } from "react-dom/client";
import { hydrate } from "../forms/hydrate.ts";
import { parseJSON } from "../runtime/schema.ts";
import { StepForm } from "./StepForm.tsx";
import { useStep } from "./step.tsx";
import { type Payload, viewSchema } from "./view.ts";

export function StepIsland({ start, go }: { start: Payload; go: (address: string) => void }) {
  const { view, summary, special, handlers } = useStep(start, go);
  return <StepForm view={view} special={special} summary={summary} {...handlers} />;
}

/**
 * Takes over the form inside of root. What is typed already stays.
 * @param go leaves the page
 */
export const mount = (root: HTMLElement, start: Payload, go = (address: string) => location.assign(address)): Root =>
  hydrate(root, <StepIsland start={start} go={go} />);

/** What runtime calls with the island's place: the view as JSON, then the form. */
export default function start(place: HTMLElement): Root | undefined {
  const root = place.querySelector<HTMLElement>(".island-root");
  const payload = place.querySelector('script[type="application/json"]')?.textContent ?? "";
  const view = parseJSON(viewSchema, payload);
  return root && view ? mount(root, view) : undefined;
}
