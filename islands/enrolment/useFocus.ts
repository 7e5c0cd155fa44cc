import { type RefObject, useEffect, useRef } from "react";
import { type Island, usePart } from "./island.ts";

/** Moves the focus to where the last event wants it, and says in the title that something is wrong. */
export function useFocus(island: Island): RefObject<HTMLDivElement | null> {
  const summary = useRef<HTMLDivElement>(null);
  const focus = usePart(island, ({ focus }) => focus);
  useEffect(() => {
    if (!focus) return;
    const target = focus.name === "summary" ? summary.current : island.fields.find(focus.name);
    target?.focus();
  }, [island, focus]);

  const hasSummary = usePart(island, ({ view }) => view.summary.length > 0);
  useEffect(() => {
    const title = document.title.replace(/^Error: /, "");
    document.title = hasSummary ? `Error: ${title}` : title;
  }, [hasSummary]);
  return summary;
}
