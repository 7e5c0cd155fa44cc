// React's half of components/parts.templ, as far as islands need it.
import type { Ref } from "react";
import type { Fault } from "./check.ts";

export function Icon({ name }: { name: string }) {
  return <span className={`icon icon-${name}`} aria-hidden="true" />;
}

export interface ButtonProps {
  look?: "gold" | "outline" | "link";
  text: string;
  name: string;
  value: string;
  wide?: boolean;
  busy?: boolean;
}

export function Button({ look, text, name, value, wide, busy }: ButtonProps) {
  const className = ["button", look && `button-${look}`, wide && "button-wide"].filter(Boolean).join(" ");
  return (
    <button className={className} type="submit" name={name} value={value} aria-busy={busy || undefined}>
      {text}
    </button>
  );
}

/** What is to be paid, and beside it what would have been. Amounts as they are read: "₹1,499". */
export function Price({ amount, struck, coupon }: { amount: string; struck: string; coupon: string }) {
  const sign = amount.startsWith("₹") ? "₹" : "";
  return (
    <p className="price">
      <span className="fee">
        {sign && <span className="rupee">{sign}</span>}
        {amount.slice(sign.length)}
      </span>
      {struck && (
        <s className="amount">
          <span className="visually-hidden">instead of</span>
          {` ${struck}`}
        </s>
      )}
      {coupon && <span className="badge badge-done">{coupon}</span>}
    </p>
  );
}

export interface ErrorSummaryProps {
  title: string;
  scope?: string;
  errors: Fault[];
  ref?: Ref<HTMLDivElement>;
}

/** Stands on top of a form that was refused. Whoever shows it moves the focus there. */
export function ErrorSummary({ title, scope = "", errors, ref }: ErrorSummaryProps) {
  return (
    // React misses its own autoFocus when it hydrates: hence no warning here
    // biome-ignore lint/a11y/noAutofocus: without scripts the summary takes the focus when the page loads
    <div className="error-summary" role="alert" tabIndex={-1} autoFocus suppressHydrationWarning ref={ref}>
      <h2>{title}</h2>
      <ul>
        {errors.map(({ field, message }) => (
          <li key={field + message}>{field ? <a href={`#f-${scope}${field}`}>{message}</a> : message}</li>
        ))}
      </ul>
    </div>
  );
}
