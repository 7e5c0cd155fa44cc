// React's half of pages/landing/enrolment.templ.
import type { ComponentProps, Ref } from "react";
import { Groups, type Special } from "../forms/Groups.tsx";
import { type FormState, leadOf } from "../forms/layout.ts";
import { Amount, Breakable, ErrorSummary, Icon } from "../forms/parts.tsx";
import { Stepper } from "../forms/Stepper.tsx";
import { Action, CodeNotice, Notice, Said, SendCode, special } from "./special.tsx";
import {
  goesOn,
  guardianAgreed,
  guardianFacts,
  handsOver,
  isReady,
  isRefundable,
  left,
  mobile,
  nameOn,
  rowOf,
  stepCount,
  stepsOf,
  toDos,
} from "./steps.ts";
import { formState, type Step, type View } from "./view.ts";

/** The server's HTML that React keeps. */
export interface Slots {
  head: string;
  help: string;
  call: string;
}

export interface TicketProps extends ComponentProps<"form"> {
  view: View;
  slots: Slots;
  /** Whether an enrolment awaits payment. Only the tab knows, so templ has no such notice. */
  waits?: boolean;
  summary?: Ref<HTMLDivElement>;
  onFold?: (group: string, open: boolean) => void;
}

type Drawn = {
  view: View;
  slots: Slots;
  state: FormState;
  extra: Record<string, Special>;
  onFold: TicketProps["onFold"];
};

export function Ticket({ view, slots, waits, summary, onFold, ...handlers }: TicketProps) {
  const drawn: Drawn = { view, slots, state: formState(view), extra: special(view), onFold };
  const ready = isReady(view);
  const missing = left(view);
  return (
    <form
      className="ticket enrol"
      id={focuses(view) ? undefined : "enrolment"}
      method="post"
      action={`${view.action}#enrolment`}
      noValidate
      aria-label="Enrolment"
      {...handlers}
    >
      <div className="ticket-body">
        <HiddenFields view={view} />
        <Slot name="head" slots={slots} />
        <dl className="enrol-lines">
          <Line name="Name" value={nameOn(view)} blank="Not filled in" />
          <Line name="Course" value={rowOf(view, "course").what} blank="Not chosen" />
        </dl>
        <Stepper steps={stepsOf(view, waits)} />
        {waits && (
          <Notice look="info">
            We have not received your payment yet. Check your details, then pay. You will not be charged twice.
          </Notice>
        )}
        {view.summary.length > 0 && (
          <ErrorSummary title="There is a problem" lead={leadOf(view.summary)} errors={view.summary} ref={summary} />
        )}
        <StepsToDo view={view} ref={summary} />
        <p className="visually-hidden" role="status">
          {view.status}
        </p>
        <div className="enrol-steps">
          {view.steps.map((step) => (
            <OneStep key={step.name} step={step} {...drawn} />
          ))}
        </div>
      </div>
      <div className={["ticket-stub", stubState(view)].filter(Boolean).join(" ")}>
        <div className="enrol-coupon" hidden={Boolean(view.price.coupon)}>
          <Groups state={drawn.state} place="coupon" special={drawn.extra} onFold={onFold} />
        </div>
        <p className="enrol-price-label">{view.price.label}</p>
        <div className="enrol-price">
          <PriceOf view={view} />
          {!ready && missing && <p className="enrol-price-missing">{missing}</p>}
        </div>
        {isRefundable(view) && (
          <p className="enrol-price-note">
            {"To "}
            <b>{view.payee}</b>
            {`. ${view.refund} `}
            <DocumentLink view={view} document="Refund Policy" text="Refund Policy" />
          </p>
        )}
        {ready && (view.values.adult !== "false" || guardianAgreed(view)) && (
          <p className="enrol-price-note">{view.tuition}</p>
        )}
        <Said view={view} at="pay" />
        <Action
          view={view}
          value="pay"
          text="PROCEED TO PAY"
          look={ready ? "gold" : "gold-waits"}
          wide
          focused={view.focus === "pay"}
        />
        {ready && <p className="enrol-price-missing">{missing}</p>}
      </div>
    </form>
  );
}

/** The wait for a code, in seconds, from which on our telephone is named. */
const longWait = 300;

/** Keeps a part of the server's HTML. */
function Slot({ name, slots, hidden }: { name: keyof Slots; slots: Slots; hidden?: boolean }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: it is the markup that stands there already
  return <div data-slot={name} hidden={hidden} dangerouslySetInnerHTML={{ __html: slots[name] }} />;
}

/** Reports whether the form takes the focus when the page opens, instead of the target of the address's fragment. */
const focuses = (view: View) => view.summary.length > 0 || toDos(view).length > 0 || view.focus !== "";

/** Lists what is left to do before the payment. */
function StepsToDo({ view, ref }: { view: View; ref: TicketProps["summary"] }) {
  const left = toDos(view);
  if (left.length === 0) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset stands around fields
    <div
      className="to-do"
      role="group"
      aria-labelledby="to-do"
      tabIndex={-1}
      // biome-ignore lint/a11y/noAutofocus: without scripts the list takes the focus when the page loads
      autoFocus
      suppressHydrationWarning // React misses its own autoFocus
      ref={ref}
    >
      <h2 id="to-do">{`${stepCount(left.length)} before you pay`}</h2>
      <ol>
        {left.map(({ label, text, href, wrong }) => (
          <li key={label + text}>
            <b>{label}</b>{" "}
            {href ? (
              <a href={href} className={wrong ? "is-wrong" : undefined}>
                {text}
              </a>
            ) : (
              <span>{text}</span>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}

/** Returns the stub's state, as a class. Until the phone is verified, a coupon that nobody has typed or unfolded is hidden. */
function stubState(view: View): string {
  const { phone, values, open } = view;
  if (isReady(view)) return "is-ready";
  return phone.phase !== "verified" && !values.coupon_code && !open.includes("coupon") ? "is-early" : "";
}

function Line({ name, value, blank }: { name: string; value: string; blank: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={value ? undefined : "is-blank"}>{value || blank}</dd>
    </div>
  );
}

function OneStep({ step, ...drawn }: Drawn & { step: Step }) {
  const { view } = drawn;
  return (
    <div className={step.unfolded ? "step is-unfolded" : "step"}>
      {!step.unfolded && step.state === "done" && (
        <DoneRow {...rowOf(view, step.name)} change={`change-${step.name}`} label={step.label.toLowerCase()} />
      )}
      <fieldset className="step-fields">
        <legend>{step.title}</legend>
        {step.name === "phone" && <CodeNotice view={view} whose="phone" />}
        {step.places.map((place) => (
          <Place key={place} place={place} {...drawn} />
        ))}
        {goesOn(view, step) && (
          <div className="step-continue">
            <Action view={view} value={`continue-${step.name}`} text="Continue" look="step" />
          </div>
        )}
      </fieldset>
    </div>
  );
}

/** A part that is done, with the button that opens it. */
function DoneRow({ what, more, change, label }: { what: string; more: string; change: string; label: string }) {
  return (
    <div className="step-done">
      <Icon name="tick" />
      <p>
        <b>{what}</b>{" "}
        <span key={more}>
          <Breakable text={more} />
        </span>
      </p>
      <button className="button button-link" type="submit" name="do" value={change}>
        Change<span className="visually-hidden">{` ${label}`}</span>
      </button>
    </div>
  );
}

function Place({ place, view, slots, state, extra, onFold }: Drawn & { place: string }) {
  const groups = <Groups state={state} place={place} special={extra} onFold={onFold} />;
  switch (place) {
    case "you":
      return (
        <>
          <div className="fields">{groups}</div>
          <p className="hint">
            {"Your ticket comes here. Under 18? Keep a parent’s phone ready. "}
            <DocumentLink view={view} document="Privacy notice" text="Privacy notice" />
          </p>
        </>
      );
    case "guardian":
      return (
        <div className="guardian" hidden={view.values.adult !== "false"}>
          {guardianAgreed(view) ? (
            <DoneRow
              what={`${view.values.guardian_name?.trim()} agreed`}
              more={mobile(view.guardian.number)}
              change="change-guardian"
              label="guardian"
            />
          ) : handsOver(view) ? (
            <>
              <p className="guardian-heading">
                <b>A parent or guardian must agree</b>
              </p>
              <p>They read this and agree by typing a code. You pay after that.</p>
            </>
          ) : (
            <>
              <p className="guardian-heading">
                <b>Read this with your parent or guardian</b>
              </p>
              <GuardianFacts view={view} />
            </>
          )}
          <CodeNotice view={view} whose="guardian" />
          <div className="fields" hidden={guardianAgreed(view)}>
            {groups}
          </div>
          {handsOver(view) && <GuardianFacts view={view} />}
          <SendCode view={view} whose="guardian" />
          <Slot name="call" slots={slots} hidden={view.guardian.resendAfter < longWait} />
          {handsOver(view) && (
            <p className="meta">
              If you agree, type the code. We may call this number later. We never ask for a code or for money.
            </p>
          )}
        </div>
      );
    case "terms":
      return (
        <>
          {view.values.adult === "false" && <p className="terms-student">The student ticks this:</p>} {groups}{" "}
          <p className="meta">
            <DocumentLink view={view} document="Privacy notice" text="Read our privacy notice" />
          </p>
        </>
      );
  }
  return (
    <>
      <div className="fields">{groups}</div>
      {place === "phone" && (
        <>
          <Slot name="help" slots={slots} hidden={view.phone.phase !== "sent"} />
          <Slot name="call" slots={slots} hidden={view.phone.resendAfter < longWait} />
        </>
      )}
    </>
  );
}

function PriceOf({ view: { price } }: { view: View }) {
  const { fee, final, coupon, saved } = price;
  return (
    <>
      <p className="fee" key={final}>
        <Amount amount={final} />
      </p>
      {final !== fee && (
        <p className="enrol-price-struck">
          <s>
            <span className="visually-hidden">{"Before: "}</span>
            {fee}
          </s>
        </p>
      )}
      {coupon && (
        <p className="enrol-price-coupon">
          <span>
            <span className="visually-hidden">{`${saved} off `}</span>
            <b>{coupon}</b>
          </span>
          <button type="submit" name="do" value="remove-coupon">
            Remove<span className="visually-hidden">{` coupon ${coupon}`}</span>
          </button>
        </p>
      )}
    </>
  );
}

/** The form's first button, which Enter presses; its handler chooses the action. */
function HiddenFields({ view }: { view: View }) {
  const kept: Record<string, string> = {
    request_id: view.phone.requestId,
    sent_to: view.phone.number,
    guardian_request_id: view.guardian.requestId,
    guardian_sent_to: view.guardian.number,
    coupon_applied: view.price.coupon,
    source: view.source,
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

/** Links to a document in a new window, so that the form keeps its input. */
function DocumentLink({ view, document, text }: { view: View; document: string; text: string }) {
  const href = view.links.find((link) => link.text === document)?.href;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {text}
    </a>
  );
}

function GuardianFacts({ view }: { view: View }) {
  return (
    <dl className="guardian-facts">
      {guardianFacts(view).map(({ term, fact, text, link }) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>
            <b key={fact}>{fact}</b>{" "}
            <span>
              {link ? `${text} ` : text}
              {link && <DocumentLink view={view} document={link} text={link} />}
            </span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
