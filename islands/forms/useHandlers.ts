import { type ComponentProps, useEffect, useRef } from "react";
import { type Fields, type Input, isInput } from "./fields.ts";
import { tidyInput } from "./input.ts";

/** What an island does as its form is used. */
export interface Use {
  fields: Fields;
  /** A field has another value. */
  edit(field: Input): void;
  /** The focus has left a field, for something of the page or for nothing. judge: its faults may show now. */
  leave(field: Input, judge: boolean, to: EventTarget | null): void;
  /** Faults may show that were held back. */
  judge(): void;
  /** A button was pressed; "" for the key that sends a form. */
  submit(button: string): void;
}

/** What the form element listens to. */
export function useHandlers(on: Use): ComponentProps<"form"> {
  const pressed = useRef(false); // a message must not move a button away from under a finger
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
      on.fields.tidy(); // what was filled in without an input event
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
      // A window that loses the focus leaves its field the active one: the visitor reads the SMS.
      const field: Element = target;
      if (field === document.activeElement || !isInput(field)) return;
      if (field instanceof HTMLInputElement) tidyInput(field);
      on.leave(field, !pressed.current, relatedTarget);
    },
  };
}
