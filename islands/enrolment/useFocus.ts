import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { type Island, usePart } from "./island.ts";
import { names } from "./state.ts";

const isCode = ({ name }: HTMLInputElement) => name === names.phone.code || name === names.guardian.code;

/** Moves the focus to where the last event wants it, and says in the title that something is wrong. */
export function useFocus(island: Island): RefObject<HTMLDivElement | null> {
  const summary = useRef<HTMLDivElement>(null);
  const focus = usePart(island, ({ focus }) => focus);
  // As the page changes, not after: a reader hears where the focus went, then what happened.
  useLayoutEffect(() => {
    if (!focus) return;
    if (!island.mayFocus()) return;
    const { ref, find } = island.fields;
    const button = ref.current?.querySelector<HTMLElement>(`button[value="${focus.name}"]`);
    const target = focus.name === "summary" ? summary.current : (find(focus.name) ?? button);
    target?.focus();
    if (target instanceof HTMLInputElement && isCode(target)) target.select(); // a wrong one is typed over
  }, [island, focus]);

  const hasSummary = usePart(island, ({ view }) => view.summary.length > 0);
  useEffect(() => {
    const title = document.title.replace(/^Error: /, "");
    document.title = hasSummary ? `Error: ${title}` : title;
  }, [hasSummary]);
  return summary;
}
