// React's half of the form of pages/application/step.templ.
import type { ComponentProps, Ref } from "react";
import { Groups, type Special } from "../forms/Groups.tsx";
import { ErrorSummary, Icon } from "../forms/parts.tsx";
import { clock } from "./clock.ts";
import { countFaults, fieldsHere, form, formState, type View } from "./view.ts";

export interface StepFormProps extends ComponentProps<"form"> {
  view: View;
  special: Record<string, Special>;
  summary?: Ref<HTMLDivElement>;
}

export function StepForm({ view, special, summary, ...handlers }: StepFormProps) {
  const { step, action, hidden, busy, slow } = view;
  return (
    <form className="form application-form" method="post" action={action} noValidate data-step={step} {...handlers}>
      {/* biome-ignore lint/a11y/useButtonType: it submits, as in step.templ: the Enter key presses it */}
      <button className="visually-hidden" name="do" value="next" tabIndex={-1} aria-hidden="true" />
      {hidden.map(({ name, value }) => (
        <input key={name} type="hidden" name={name} value={name === "seen" ? String(view.version) : value} />
      ))}
      <p className="visually-hidden" role="status">
        {view.status || null}
      </p>
      {view.kept.phase === "here" && view.notice.kind !== "held" && <WhereKept view={view} />}
      <div className="fields">
        {view.summary.length > 0 && (
          <ErrorSummary
            title={view.summary.some(({ field }) => !field) ? "There is a problem" : countFaults(view)}
            errors={view.summary}
            ref={summary}
          />
        )}
        <Said view={view} />
        <Groups state={formState(view)} place="form" special={special} />
      </div>
      <div className="application-buttons">
        {/* biome-ignore lint/a11y/useButtonType: it submits, as in step.templ */}
        <button className="button button-outline" name="do" value="back" aria-busy={busy === "back" || undefined}>
          BACK
        </button>{" "}
        {/* biome-ignore lint/a11y/useButtonType: it submits, as in step.templ */}
        <button className="button" name="do" value="next" aria-busy={busy === "next" || undefined}>
          {busy === "next" && slow ? "Sending…" : "NEXT"}
        </button>
      </div>
    </form>
  );
}

/** Renders a notice about the whole page with its actions. */
function Said({ view }: { view: View }) {
  const { kind, text } = view.notice;
  if (!kind) return null;
  return (
    <div className={kind === "failed" ? "notice notice-failed" : "notice"}>
      <Icon name="bang" />
      <div>
        <p>{text}</p>
        {kind === "signed out" && <a href={view.signIn}>Sign in again</a>}
        {kind === "other tab" && (
          <button className="button button-outline" type="submit" name="do" value="keep">
            Choose answers
          </button>
        )}
      </div>
    </div>
  );
}

/** Shows which answers the server has stored and which are only on this device. */
function WhereKept({ view }: { view: View }) {
  const { at, here, values, open } = view.kept;
  const seen = form.fields.filter(({ name }) => fieldsHere(view).includes(name));
  const saved = at > 0 ? seen.filter(({ name }) => values[name] && !open.includes(name)) : [];
  const unsent = seen.filter(({ name }) => open.includes(name));
  if (saved.length + unsent.length === 0) return null;
  return (
    <section className="offline-notice">
      <h2>What is kept, and where</h2>
      <ul>
        {saved.length > 0 && (
          <li>
            <time>{clock(at)}</time>
            <span key={listed(saved)}>
              <b>On our server:</b>
              {` ${listed(saved)}. Any device shows them.`}
            </span>
          </li>
        )}
        {unsent.length > 0 && (
          <li>
            <time>{clock(here)}</time>
            <span key={listed(unsent)}>
              <b>On this device only:</b>
              {` ${listed(unsent)}. We send it automatically.`}
            </span>
          </li>
        )}
      </ul>
    </section>
  );
}

/** Returns field names as a sentence. */
function listed(fields: { label: string; short?: string | undefined }[]): string {
  const words = fields.map(({ label, short }) => (short ?? label).replace(/[?,].*$/, ""));
  const last = words.pop() ?? "";
  return words.length > 0 ? `${words.join(", ")} and ${last}` : last;
}
