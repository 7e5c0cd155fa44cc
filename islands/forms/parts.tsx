// React's half of components/parts.templ, as far as islands need it.
import type { Ref } from "react";
import type { Fault } from "./check.ts";

export function Icon({ name }: { name: string }) {
  return <span className={`icon icon-${name}`} aria-hidden="true" />;
}

export interface ButtonProps {
  look?: "gold" | "gold-waits" | "step" | "step-waits" | "outline" | "link";
  text: string;
  name: string;
  value: string;
  wide?: boolean;
  busy?: boolean;
  /** Can be pressed, but only answers that it is too early. */
  waits?: boolean;
  /** Takes the focus when the page opens. */
  focused?: boolean;
}

export function Button({ look, text, name, value, wide, busy, waits, focused }: ButtonProps) {
  const className = ["button", look && `button-${look}`, wide && "button-wide"].filter(Boolean).join(" ");
  return (
    <button
      className={className}
      type="submit"
      name={name}
      value={value}
      aria-busy={busy || undefined}
      data-waits={waits || undefined}
      // biome-ignore lint/a11y/noAutofocus: the page after a post focuses it
      autoFocus={focused}
      suppressHydrationWarning // React misses its own autoFocus
    >
      {text}
    </button>
  );
}

/** A text in which e-mail addresses break before the @. */
export function Breakable({ text }: { text: string }) {
  const at = text.search(/@|$/);
  return (
    <>
      {text.slice(0, at) || null}
      <wbr />
      {text.slice(at) || null}
    </>
  );
}

/** An amount, "₹1,499", with space after the sign. */
export function Amount({ amount }: { amount: string }) {
  const sign = amount.startsWith("₹") ? "₹" : "";
  return (
    <>
      {sign && <span className="rupee">{sign}</span>}
      {amount.slice(sign.length)}
    </>
  );
}

export interface ErrorSummaryProps {
  title: string;
  lead?: string;
  scope?: string;
  errors: Fault[];
  ref?: Ref<HTMLDivElement>;
}

/** The summary above a rejected form. The caller moves the focus to it, which announces it. */
export function ErrorSummary({ title, lead = "", scope = "", errors, ref }: ErrorSummaryProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset stands around fields
    <div
      className="error-summary"
      role="group"
      aria-labelledby={`${scope}problem`}
      aria-describedby={lead ? `${scope}problems` : undefined}
      tabIndex={-1}
      // biome-ignore lint/a11y/noAutofocus: without scripts the summary takes the focus when the page loads
      autoFocus
      suppressHydrationWarning // React misses its own autoFocus
      ref={ref}
    >
      <h2 id={`${scope}problem`}>{title}</h2>
      {lead ? <p id={`${scope}problems`}>{lead}</p> : null}
      <ul>
        {errors.map(({ field, message }) => (
          <li key={field + message}>{field ? <a href={`#f-${scope}${field}`}>{message}</a> : message}</li>
        ))}
      </ul>
    </div>
  );
}
