import { type ComponentProps, useEffect, useRef } from "react";
import { edit, submit } from "./actions.ts";
import { isInput } from "./fields.ts";
import { tidyInput } from "./input.ts";
import type { Island } from "./island.ts";
import { askReferral } from "./referral.ts";

/** What the form element listens to. */
export function useHandlers(island: Island): ComponentProps<"form"> {
  const pressed = useRef(false); // a message must not move a button away from under a finger
  useEffect(() => {
    const release = () => {
      if (!pressed.current) return;
      pressed.current = false;
      setTimeout(() => island.dispatch({ type: "judged" }));
    };
    addEventListener("pointerup", release);
    addEventListener("pointercancel", release);
    return () => {
      removeEventListener("pointerup", release);
      removeEventListener("pointercancel", release);
    };
  }, [island]);
  return {
    ref: island.fields.ref,
    onSubmit: (event) => {
      event.preventDefault();
      island.fields.tidy(); // what was filled in without an input event
      const { submitter } = event.nativeEvent;
      submit(island, submitter instanceof HTMLButtonElement ? submitter.value : "pay");
    },
    onInput: ({ target }) => {
      if (isInput(target)) edit(island, target, true);
    },
    onPointerDown: () => {
      pressed.current = true;
    },
    onBlur: ({ target }) => {
      // A window that loses the focus leaves its field the active one: the visitor reads the SMS.
      const field: Element = target;
      if (field === document.activeElement || !isInput(field)) return;
      if (field instanceof HTMLInputElement) tidyInput(field);
      island.dispatch({ type: "left", name: field.name, judge: !pressed.current });
      if (field.name === "referral_code") void askReferral(island);
    },
  };
}
