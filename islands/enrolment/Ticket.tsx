// React's half of pages/landing/enrolment.templ.
import type { ComponentProps, Ref } from "react";
import { Field } from "../forms/Field.tsx";
import { Button, ErrorSummary, Icon, Price } from "../forms/parts.tsx";
import { fieldOf, type Proof, type View } from "./view.ts";

/** What stays as the server wrote it, by data-slot. */
export type Slots = Record<"head" | "choices", string>;

export interface TicketProps extends ComponentProps<"form"> {
  view: View;
  slots: Slots;
  /** Whether an enrolment waits for its payment: only the tab knows, so templ has no such notice. */
  waits?: boolean;
  summary?: Ref<HTMLDivElement>;
  onFold?: (what: "moreOpen" | "guardianOpen" | "choicesOpen", open: boolean) => void;
}

export function Ticket({ view, slots, waits, summary, onFold, ...handlers }: TicketProps) {
  const field = (name: string) => fieldOf(view, name);
  const fold = (what: "moreOpen" | "guardianOpen" | "choicesOpen"): ComponentProps<"details"> => ({
    className: "more",
    open: view[what],
    onToggle: (event) => onFold?.(what, event.currentTarget.open),
  });
  return (
    <form
      className="ticket"
      id={view.summary.length === 0 ? "enrolment" : undefined}
      method="post"
      action={`${view.action}#enrolment`}
      noValidate
      aria-label="Enrolment"
      {...handlers}
    >
      <div className="ticket-body">
        <HiddenFields view={view} />
        {waits && (
          <p className="notice notice-info">
            <Icon name="bang" />
            <span>
              Your enrolment is waiting for its payment. <a href="/pay">Continue to pay</a>
            </span>
          </p>
        )}
        {view.summary.length > 0 && <ErrorSummary title="There is a problem" errors={view.summary} ref={summary} />}
        <Slot name="head" html={slots.head} />
        <p className="visually-hidden" role="status">
          {view.status}
        </p>
        <div className="fields">
          <Field {...field("fullname")} />
          <Field {...field("email")} />
          <Field {...field("phone_number")}>
            <BelowPhone view={view} proof={view.phone} at="phone_number" />
          </Field>
          {view.phone.phase === "sent" && (
            <Field {...field("otp")}>
              <Resend value="resend" proof={view.phone} busy={view.busy} />
              <SaidAt view={view} at="otp" />
            </Field>
          )}
          <Field {...field("selected_course")} />
          <Field {...field("state")} />
          <details {...fold("moreOpen")}>
            <summary>College, referral or coupon code</summary>
            <div className="fields">
              <Field {...field("company_name")} />
              <Field {...field("referral_code")} />
              <Field {...field("coupon_code")}>
                <SaidAt view={view} at="coupon_code" />
              </Field>
            </div>
          </details>
          <Field {...field("adult")} />
          <details {...fold("guardianOpen")} hidden={view.values.adult === "true"}>
            <summary>Under 18? Your guardian agrees here</summary>
            <div className="fields">
              <Field {...field("guardian_name")} />
              <Field {...field("guardian_phone")}>
                <BelowPhone view={view} proof={view.guardian} at="guardian_phone" />
              </Field>
              {view.guardian.phase === "sent" && (
                <Field {...field("guardian_otp")}>
                  <Resend value="resend-guardian" proof={view.guardian} busy={view.busy} />
                  <SaidAt view={view} at="guardian_otp" />
                </Field>
              )}
            </div>
          </details>
        </div>
      </div>
      <div className="ticket-stub">
        <p className="meta">{view.price.label}</p>
        <Price
          amount={view.price.final}
          struck={view.price.final === view.price.fee ? "" : view.price.fee}
          coupon={view.price.coupon}
        />
        {view.price.coupon && <Button look="link" text="Remove coupon" name="do" value="remove-coupon" />}
        <Field {...field("agreed_terms_conditions")} />
        <details {...fold("choicesOpen")}>
          <summary>News, sharing and reminders</summary>
          <Field {...field("consents")} />
          <Slot name="choices" html={slots.choices} />
        </details>
        <SaidAt view={view} at="pay" />
        <Button look="gold" text="PROCEED TO PAY" name="do" value="pay" wide busy={view.busy === "pay"} />
        <p className="meta">
          <Privacy view={view} />
        </p>
      </div>
    </form>
  );
}

/** The first button of a form is what Enter presses: its handler finds out what is next. */
function HiddenFields({ view }: { view: View }) {
  const kept: Record<string, string> = {
    request_id: view.phone.requestId,
    sent_to: view.phone.number,
    guardian_request_id: view.guardian.requestId,
    guardian_sent_to: view.guardian.number,
    coupon_applied: view.price.coupon,
  };
  return (
    <>
      <button className="visually-hidden" type="submit" name="do" value="enter" tabIndex={-1} aria-hidden="true">
        Continue
      </button>
      <input
        className="visually-hidden"
        name="website"
        defaultValue=""
        tabIndex={-1}
        aria-hidden="true"
        autoComplete="off"
      />
      {Object.entries(kept).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
    </>
  );
}

function Slot({ name, html }: { name: keyof Slots; html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: it is the markup that stands there already
  return <div data-slot={name} dangerouslySetInnerHTML={{ __html: html }} />;
}

/** Where another browser has asked for a phone's code, here is none to type in yet. */
function BelowPhone({ view, proof: { phase, resendAfter }, at }: { view: View; proof: Proof; at: string }) {
  return (
    <>
      {phase === "none" && resendAfter > 0 && (
        <p className="meta">{`You can ask for the code again in ${resendAfter} seconds.`}</p>
      )}
      <SaidAt view={view} at={at} />
    </>
  );
}

function Resend({ value, proof, busy }: { value: string; proof: Proof; busy: string }) {
  return (
    <p className="meta resend">
      <Button look="link" text="Resend" name="do" value={value} busy={busy === value} />
      {proof.resendAfter > 0 && <span>{`in ${proof.resendAfter} s`}</span>}
    </p>
  );
}

/** What happened last, where it happened. */
function SaidAt({ view: { said }, at }: { view: View; at: string }) {
  if (!said.look || said.at !== at) return null;
  return (
    <p className={`notice notice-${said.look}`}>
      <Icon name={said.look === "done" ? "tick" : "bang"} />
      <span>{said.text}</span>
    </p>
  );
}

function Privacy({ view }: { view: View }) {
  const href = view.links.find(({ text }) => text === "Privacy notice")?.href;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      Read our privacy notice
    </a>
  );
}
