// The enrolment form's additions to fields of the form's data, as in pages/landing/enrolment_form.go.
import type { ReactNode } from "react";
import type { FieldProps } from "../forms/Field.tsx";
import type { Special } from "../forms/Groups.tsx";
import { Button, type ButtonProps, Icon } from "../forms/parts.tsx";
import { names, type Whose } from "./state.ts";
import { checkFirst, handsOver, isCouponRefused, mobile, sharesPhone, waitText } from "./steps.ts";
import { form, type View } from "./view.ts";

export function special(view: View): Record<string, Special> {
  const { busy } = view;
  const ifAsked = { change: { plainOnly: view.guardian.phase === "sent" } };
  const consents = form.fields.find(({ name }) => name === "consents")?.options ?? [];
  return {
    phone_number: number(view, "phone"),
    otp: code(view, "phone"),
    guardian_name: ifAsked,
    guardian_phone: number(view, "guardian"),
    guardian_shares_phone: {
      ...ifAsked,
      below: handsOver(view) && <p className="guardian-hand">Now hand the phone to your parent or guardian.</p>,
    },
    guardian_relation: ifAsked,
    guardian_birth_year: ifAsked,
    guardian_otp: code(view, "guardian"),
    referral_code: view.referral ? { change: { verified: "Applied" } } : {},
    coupon_code: {
      change: {
        optional: false,
        action: { name: "do", value: "apply-coupon", label: "Apply", busy: busy === "apply-coupon" },
      },
      below: (
        <>
          <Said view={view} at="coupon_code" />
          {isCouponRefused(view) && (
            <p className="coupon-skip">
              <Action view={view} value="remove-coupon" text={`Go on without a code, ${view.price.fee}`} look="link" />
            </p>
          )}
        </>
      ),
    },
    agreed_terms_conditions: { change: { links: view.links } },
    consents: { change: { options: consents.filter(({ value }) => view.consents.includes(value)) } },
  };
}

const checking = "Checking. Keep this page open. Then the code is sent.";

/** Hint about the use of a number. */
const codeComes: Record<Whose, string> = {
  phone: "For a code now, and SMS about your exam. No sales calls.",
  guardian: "They get one SMS with a code.",
};

function number(view: View, whose: Whose): Special {
  const { phase, resendAfter, why, kept } = view[whose];
  const change: Partial<FieldProps> = { plainOnly: phase === "sent", verified: phase === "verified" ? "Verified" : "" };
  return {
    change,
    below: (
      <>
        {kept && phase === "none" && (
          <Notice look="info">
            {view.values[names[whose].number] !== kept && "The new number needs a code of its own. "}
            <Button look="link" text={`Keep ${mobile(kept)}`} name="do" value={names[whose].keep} />
          </Notice>
        )}
        {why ? (
          resendAfter ? (
            <Notice look="waiting">
              {`${why} You can ask for one here in `}
              <b className="countdown">{waitText(resendAfter)}</b>.
            </Notice>
          ) : (
            <Notice look="info">{view.busy === names[whose].send ? checking : `${why} ${checkFirst}`}</Notice>
          )
        ) : (
          phase === "none" && (whose === "phone" || !sharesPhone(view)) && <p className="meta">{codeComes[whose]}</p>
        )}
        <Said view={view} at={names[whose].number} />
        {whose === "phone" && <SendCode view={view} whose={whose} />}
      </>
    ),
  };
}

/** The button that sends a code. */
export function SendCode({ view, whose }: { view: View; whose: Whose }) {
  const { phase, resendAfter, why } = view[whose];
  if (phase !== "none") return null;
  const waits = (whose === "guardian" && !handsOver(view)) || view.summary.length > 0 || resendAfter > 0;
  return (
    <Action
      view={view}
      value={names[whose].send}
      text={why && !resendAfter ? "Check and send code" : "Send code"}
      look={waits ? "step-waits" : "step"}
    />
  );
}

/** The server's message for a wrong code. */
const wrongCode = "Invalid OTP";
const live = "We check them as soon as you type the last one.";
const told = "They tell you the code only if they agree. Valid for 10 minutes.";
const typed = "Type the code only if you agree. Valid for 10 minutes.";
const askAgain = "Use the latest OTP sent from this page, or press Resend";

function code(view: View, whose: Whose): Special {
  const { phase, digits, resendAfter, ended } = view[whose];
  const { code, verify, resend } = names[whose];
  const { said, faults } = view;
  const isWrong = digits === 6 && faults.some(({ field, message }) => field === code && message === wrongCode);
  const hint = whose === "guardian" ? { hint: sharesPhone(view) ? typed : told } : { live };
  const wait = resendAfter > 0 ? ` in ${resendAfter} s.` : ".";
  return {
    absent: phase !== "sent",
    change: { digits: digits ?? 0, ...(isWrong ? { hint: askAgain + wait } : !ended && hint) },
    below: (
      <>
        {!ended && <Action view={view} value={verify} text="Verify" look="step" />}
        <p className="meta resend">
          <Action
            view={view}
            value={resend}
            text="Resend"
            look={ended && !resendAfter ? "step" : "outline"}
            waits={resendAfter > 0}
          />
          {resendAfter > 0 && (
            <span>
              {"in "}
              <b className="countdown">{`${resendAfter} s`}</b>
            </span>
          )}
        </p>
        {said.look !== "done" && <Said view={view} at={code} />}
      </>
    ),
  };
}

/** Shows above the code's field where the code was sent. */
export function CodeNotice({ view, whose }: { view: View; whose: Whose }) {
  const { phase, number } = view[whose];
  const { code, change } = names[whose];
  const { at, text } = view.said;
  const name = whose === "guardian" ? view.values.guardian_name?.trim() : "";
  if (phase !== "sent") return null;
  const sent = at === code && text.startsWith("Code sent again") ? "Code sent again to " : "Code sent to ";
  return (
    <Notice look="done" key={sent + name}>
      {name ? `${sent}${name}, ` : sent}
      <b>{mobile(number)}</b> <Button look="link" text="Change number" name="do" value={change} />
    </Notice>
  );
}

export function Notice({ look, children }: { look: string; children: ReactNode }) {
  return (
    <p className={`notice notice-${look}`}>
      <Icon name={look === "done" ? "tick" : "bang"} />
      <span>{children}</span>
    </p>
  );
}

type ActionProps = Omit<ButtonProps, "name"> & { view: View };

export function Action({ view, text, value, ...rest }: ActionProps) {
  const busy = view.busy === value;
  return <Button {...rest} text={busy && view.slow ? "Sending…" : text} name="do" value={value} busy={busy} />;
}

/** The last message, at its field. */
export function Said({ view: { said }, at }: { view: View; at: string }) {
  if (!said.look || said.at !== at) return null;
  return <Notice look={said.look}>{said.text}</Notice>;
}
