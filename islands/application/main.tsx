// The island of an application's step: hydrates the server's form. runtime loads it with the page, so that input is saved
// even if the connection drops soon after.
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
 * Hydrates the form in root and keeps earlier input.
 * @param go leaves the page
 */
export const mount = (root: HTMLElement, start: Payload, go = (address: string) => location.assign(address)): Root =>
  hydrate(root, <StepIsland start={start} go={go} />);

/** Starts the island; runtime calls it with the element that holds the view as JSON and the form. */
export default function start(place: HTMLElement): Root | undefined {
  const root = place.querySelector<HTMLElement>(".island-root");
  const payload = place.querySelector('script[type="application/json"]')?.textContent ?? "";
  const view = parseJSON(viewSchema, payload);
  return root && view ? mount(root, view) : undefined;
}
