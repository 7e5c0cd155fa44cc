import { type ComponentProps, useEffect, useRef } from "react";
import { type Fields, type Input, isInput } from "./fields.ts";
import { tidyInput } from "./input.ts";

/** An island's event handlers. */
export interface Use {
  fields: Fields;
  /** A field's value has changed. */
  edit(field: Input): void;
  /** The focus has left a field. judge: its errors may show now. */
  leave(field: Input, judge: boolean, to: EventTarget | null): void;
  /** Errors that were held back may show. */
  judge(): void;
  /** A button was pressed; "" for Enter. */
  submit(button: string): void;
}

/** Returns the form element's listeners. */
export function useHandlers(on: Use): ComponentProps<"form"> {
  const pressed = useRef(false); // an appearing error must not move a button during a press
  const { judge } = on;
  useEffect(() => {
    const release = () => {
      if (!pressed.current) return;
      pressed.current = false;
      setTimeout(judge);
    };
    addEventListener("pointerup", release);
    addEventListener("pointercancel", release);
    return () => {
      removeEventListener("pointerup", release);
      removeEventListener("pointercancel", release);
    };
  }, [judge]);
  return {
    ref: on.fields.ref,
    onSubmit: (event) => {
      event.preventDefault();
      on.fields.tidy(); // values filled in without an input event
      const { submitter } = event.nativeEvent;
      on.submit(submitter instanceof HTMLButtonElement ? submitter.value : "");
    },
    onInput: ({ target }) => {
      if (isInput(target)) on.edit(target);
    },
    onPointerDown: () => {
      pressed.current = true;
    },
    onBlur: ({ target, relatedTarget }) => {
      // If the window loses the focus, for example to read the SMS, its field stays active and does not count as left.
      const field: Element = target;
      if (field === document.activeElement || !isInput(field)) return;
      if (field instanceof HTMLInputElement) tidyInput(field);
      on.leave(field, !pressed.current, relatedTarget);
    },
  };
}
