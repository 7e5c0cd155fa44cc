import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import type { Fields } from "./fields.ts";
import { usePart } from "./island.ts";
import type { Judged } from "./judging.ts";

interface Island {
  fields: Fields;
  state(): Judged;
  subscribe(listener: () => void): () => void;
  dispatch(event: { type: "spoken"; text: string }): void;
  mayFocus(): boolean;
}

/**
 * Moves the focus as the last event requests, and marks faults in the title. If the visitor has moved on meanwhile, the focus
 * stays and the summary is announced.
 * @param isOverwritten whether typing replaces a field's value
 */
export function useFocus(
  island: Island,
  isOverwritten: (field: HTMLInputElement) => boolean = () => false,
): RefObject<HTMLDivElement | null> {
  const summary = useRef<HTMLDivElement>(null);
  const overwritten = useRef(isOverwritten);
  const focus = usePart(island, ({ focus }) => focus);
  // A layout effect moves the focus as the page changes, so that screen readers announce it before the message.
  useLayoutEffect(() => {
    if (!focus) return;
    if (!island.mayFocus()) {
      const title = focus.name === "summary" && summary.current?.querySelector("h2")?.textContent;
      if (title) island.dispatch({ type: "spoken", text: `${title}.` });
      return;
    }
    const { ref, find } = island.fields;
    const button = ref.current?.querySelector<HTMLElement>(`button[value="${focus.name}"]`);
    const target = focus.name === "summary" ? summary.current : (find(focus.name) ?? button);
    target?.focus();
    if (target instanceof HTMLInputElement && overwritten.current(target)) target.select();
  }, [island, focus]);

  const hasSummary = usePart(island, ({ view }) => view.summary.length > 0);
  useEffect(() => {
    const title = document.title.replace(/^Error: /, "");
    document.title = hasSummary ? `Error: ${title}` : title;
  }, [hasSummary]);
  return summary;
}
