// What all parts of the island share: state, fields, saver, and ways to leave the page.
import { checkStep } from "../forms/check.ts";
import { type Core, coreOf } from "../forms/island.ts";
import { notSent } from "../runtime/failure.ts";
import { otherAccount, submitStep } from "./calls.ts";
import type { Event } from "./events.ts";
import { reduce } from "./reduce.ts";
import { type Saver, saverOf } from "./saver.ts";
import { type State, stateOf } from "./state.ts";
import { envOf, fieldsHere, form, type Payload } from "./view.ts";

export interface Island extends Core<State, Event> {
  saver: Saver;
  /** What a button does, by its value. */
  submit(button: string): void;
}

/** @param go leaves the page */
export function islandOf(payload: Payload, go: (address: string) => void): Island {
  const core = coreOf<State, Event>(form, stateOf(payload), reduce);
  const saver = saverOf(core, () => island.submit("next"));
  const island: Island = {
    ...core,
    saver,
    submit: (button) =>
      void core.run(button, async () => {
        if (button === "next") await next(island, go);
        else if (navigator.onLine) await postBy(island, button);
        else core.dispatch({ type: "stopped", kind: "failed", text: notSent });
      }),
  };
  return island;
}

/** Sends the step and opens the next page. Posts the form if only a server page can ask what is needed. */
async function next(island: Island, go: (address: string) => void): Promise<void> {
  const { view } = island.state();
  const { clean, faults } = checkStep(form, view.step, island.fields.values(), envOf(view));
  const here = fieldsHere(view);
  const wrong = faults.filter(({ field }) => here.includes(field));
  if (wrong.length > 0) return island.dispatch({ type: "incomplete", faults: wrong });
  if (!navigator.onLine) return hold(island, held);
  if (faults.length > 0) return postBy(island, "next"); // the server's page asks for the guardian
  await island.saver.settle();
  const answer = await submitStep(island.state().view, clean);
  if (answer.ok) {
    island.dispatch({ type: "leaving" });
    island.saver.rest("saved");
    return go(view.next);
  }
  if (answer.status === 0) return hold(island, navigator.onLine ? answer.message : held);
  if (answer.status === 404) return island.dispatch({ type: "stopped", kind: "other account", text: otherAccount });
  // Its pages resolve conflicting answers, show the status, or sign in with the input kept.
  if (answer.status === 409) return postBy(island, "next", "overtaken");
  if (answer.status === 401) return postBy(island, "next");
  island.dispatch({ type: "refused", answer });
}

const held = "Not sent yet: you are offline. We send this page as soon as the connection is back.";

function hold(island: Island, text: string): void {
  island.dispatch({ type: "held", text });
  island.dispatch({ type: "unsent" });
  island.saver.wait();
}

/** Posts the form as a browser without scripts does; the server renders the next page. */
async function postBy(island: Island, button: string, how: "posted" | "overtaken" = "posted"): Promise<void> {
  await island.saver.settle();
  const element = island.fields.ref.current;
  if (!element) return;
  island.dispatch({ type: "leaving" });
  island.saver.rest(how);
  const pressed = document.createElement("input");
  pressed.type = "hidden";
  pressed.name = "do";
  pressed.value = button;
  const seen = element.elements.namedItem("seen");
  if (seen instanceof HTMLInputElement) seen.value = String(island.state().view.version); // React may not have rendered it yet
  element.append(pressed);
  element.submit();
  pressed.remove();
}
