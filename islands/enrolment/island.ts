// What all parts of the island share: state, fields, and ways to leave the page.
import { checkOnly } from "../forms/check.ts";
import { type Core, coreOf } from "../forms/island.ts";
import type { Refusal } from "../runtime/api.ts";
import type { Event } from "./events.ts";
import { faultsOf } from "./judge.ts";
import { reduce } from "./reduce.ts";
import { type State, stateOf } from "./state.ts";
import { envOf, form, type Notice, type View } from "./view.ts";

export interface Island extends Core<State, Event> {
  notify(text: string, look?: Notice["look"], at?: string): void;
  refused(answer: Refusal, at: string, wire?: Record<string, string>): void;
  /** Checks the fields that a button needs and reports whether they are valid. The first invalid one takes the focus. */
  ready(...fields: string[]): boolean;
  leaveFor(address: string): void;
}

/** @param go leaves the page */
export function islandOf(view: View, go: (address: string) => void): Island {
  const core = coreOf<State, Event>(form, stateOf(view, Date.now()), reduce);
  const { fields, dispatch } = core;
  const isHere = (field = "") => Boolean(field) && document.activeElement === fields.find(field);
  return {
    ...core,
    notify: (text, look, at) => dispatch({ type: "notified", text, look, at }),
    refused(answer, at, wire) {
      const [first] = faultsOf(answer, wire);
      dispatch({ type: "refused", answer, at, wire, heard: Boolean(first) && !isHere(first?.field) });
    },
    ready(...needed) {
      const { faults } = checkOnly(form, fields.values(), envOf(core.state().view), ...needed);
      const [first] = faults;
      const here = isHere(first?.field);
      dispatch({ type: "needed", fields: needed });
      if (first && here) dispatch({ type: "spoken", text: first.message });
      return !first;
    },
    leaveFor(address) {
      dispatch({ type: "leaving" });
      go(address);
    },
  };
}
