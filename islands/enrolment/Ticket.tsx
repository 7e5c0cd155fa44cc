// React's half of pages/landing/enrolment.templ.
import type { ComponentProps, Ref } from "react";
import type { FieldProps } from "../forms/Field.tsx";
import { Groups, type Special } from "../forms/Groups.tsx";
import { Button, ErrorSummary, Icon, Price } from "../forms/parts.tsx";
import { formState, type Proof, type View } from "./view.ts";

/** What stays as the server wrote it, by data-slot. */
export type Slots = Record<"head" | "choices", string>;

export interface TicketProps extends ComponentProps<"form"> {
  view: View;
  slots: Slots;
  /** Whether an enrolment waits for its payment: only the tab knows, so templ has no such notice. */
  waits?: boolean;
  summary?: Ref<HTMLDivElement>;
  onFold?: (group: string, open: boolean) => void;
}

export function Ticket({ view, slots, waits, summary, onFold, ...handlers }: TicketProps) {
  const state = formState(view);
  const special = specialOf(view, slots);
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
          <Groups state={state} place="fields" special={special} onFold={onFold} />
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
        <Groups state={state} place="stub" special={special} onFold={onFold} />
        <SaidAt view={view} at="pay" />
        <Button look="gold" text="PROCEED TO PAY" name="do" value="pay" wide busy={view.busy === "pay"} />
        <p className="meta">
          <Privacy view={view} />
        </p>
      </div>
    </form>
  );
}

/** What this form adds to its fields; which fields there are, the form's data say. */
function specialOf(view: View, slots: Slots): Record<string, Special> {
  const { phone, guardian, price, busy } = view;
  const action = (value: string, label: string) => ({
    action: { name: "do", value, label, busy: busy === value },
  });
  const proof = ({ phase }: Proof, send: string): Partial<FieldProps> =>
    phase === "verified" ? { verified: "Verified" } : phase === "none" ? action(send, "Send code") : {};
  return {
    phone_number: {
      change: proof(phone, "send-code"),
      below: <BelowPhone view={view} proof={phone} at="phone_number" />,
    },
    otp: {
      absent: phone.phase !== "sent",
      change: action("verify", "Verify"),
      below: <Resend value="resend" view={view} proof={phone} at="otp" />,
    },
    guardian_phone: {
      change: proof(guardian, "send-guardian-code"),
      below: <BelowPhone view={view} proof={guardian} at="guardian_phone" />,
    },
    guardian_otp: {
      absent: guardian.phase !== "sent",
      change: action("verify-guardian", "Verify"),
      below: <Resend value="resend-guardian" view={view} proof={guardian} at="guardian_otp" />,
    },
    referral_code: view.referral ? { change: { verified: "Applied" } } : {},
    coupon_code: {
      change: price.coupon ? { verified: "Applied", readonly: true } : action("apply-coupon", "Apply"),
      below: <SaidAt view={view} at="coupon_code" />,
    },
    agreed_terms_conditions: { change: { links: view.links } },
    choices: { below: <Slot name="choices" html={slots.choices} /> },
  };
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

function Resend({ view, value, proof, at }: { view: View; value: string; proof: Proof; at: string }) {
  return (
    <>
      <p className="meta resend">
        <Button look="link" text="Resend" name="do" value={value} busy={view.busy === value} />
        {proof.resendAfter > 0 && <span>{`in ${proof.resendAfter} s`}</span>}
      </p>
      <SaidAt view={view} at={at} />
    </>
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
