// React's half of components/field.templ: same props and markup, which tests compare.
import type { HTMLAttributes, ReactNode } from "react";
import type { Option } from "./check.ts";
import { dateParts } from "./date.ts";
import { Digits } from "./Stepper.tsx";
import { Whole } from "./Whole.tsx";

/** A document that a checkbox names. */
export interface Link {
  text: string;
  href: string;
}

/** A button that sends its form with name=value. */
export interface SubmitAction {
  name: string;
  value: string;
  label: string;
  busy: boolean;
}

/** One field in one state; components.FieldProps documents each property. */
export interface FieldProps {
  name: string;
  scope?: string;
  kind: string;
  label: string;
  links?: Link[];
  hint?: string | undefined;
  live?: string;
  error?: string;
  warns?: string;
  value?: string;
  values?: string[];
  options?: Option[];
  empty?: string;
  prefix?: string | undefined;
  placeholder?: string;
  autocomplete?: string | undefined;
  inputmode?: string | undefined;
  maxlength?: number | undefined;
  optional?: boolean;
  checked?: boolean;
  readonly?: boolean;
  hidden?: boolean;
  half?: boolean;
  plainOnly?: boolean;
  focused?: boolean;
  digits?: number;
  verified?: string;
  action?: SubmitAction;
  /** Button of a date that opens a calendar; needs scripts. */
  calendar?: ReactNode;
}

interface Parts extends FieldProps {
  children?: ReactNode;
}

const id = (letter: string, { scope = "", name }: FieldProps) => `${letter}-${scope}${name}`;

/** Inputs are uncontrolled, so that early input and the focus survive hydration. Children are below the control. */
export function Field({ children, ...p }: Parts) {
  const className = [
    "field",
    p.kind.startsWith("checkbox") && "field-check",
    p.half && "half",
    p.plainOnly && "without-scripts",
  ]
    .filter(Boolean)
    .join(" ");
  const around = { className, "data-field": p.name, hidden: p.hidden };
  const input = id("f", p);
  switch (p.kind) {
    case "hidden":
      return <input type="hidden" id={input} name={p.name} defaultValue={p.value ?? ""} />;
    case "checkbox":
      return (
        <div {...around}>
          <Notes {...p} />
          <div className="control">
            <Box {...p} id={input} value="true" checked={p.checked ?? false} />
            <label className="label" htmlFor={input}>
              {linkParts(p.label, p.links ?? []).map(({ text, href }) =>
                href ? (
                  <a key={text} href={href} target="_blank" rel="noopener">
                    {text}
                  </a>
                ) : (
                  text
                ),
              )}
            </label>
          </div>
          {children}
        </div>
      );
    case "checkboxes":
      return (
        <fieldset {...around}>
          <legend className="label">{p.label}</legend>
          <Notes {...p} />
          {p.options?.map(({ value, label, text }) => (
            <div key={value} className="control">
              <Box {...p} id={`${input}-${value}`} value={value} checked={p.values?.includes(value) ?? false} />
              <label className="label" htmlFor={`${input}-${value}`}>
                {label}
                {text && (
                  <small>
                    <Whole words={text} />
                  </small>
                )}
              </label>
            </div>
          ))}
          {children}
        </fieldset>
      );
    case "yesno":
      return (
        <div {...around} role="radiogroup" aria-labelledby={id("l", p)} {...groupState(p)}>
          <span className="label" id={id("l", p)}>
            {p.label}
          </span>
          <Notes {...p} />
          <div className="answers">
            {p.options?.map(({ value, label }, i) => (
              <label key={value} className="answer">
                <input
                  type="radio"
                  id={i === 0 ? input : `${input}-${value}`}
                  name={p.name}
                  value={value}
                  defaultChecked={p.value === value}
                  // biome-ignore lint/a11y/noAutofocus: the page after a post focuses it
                  autoFocus={p.focused && i === 0}
                  suppressHydrationWarning // React misses its own autoFocus
                />
                <span>{label}</span>
              </label>
            ))}
          </div>
          {children}
        </div>
      );
    case "otp":
      return (
        <div {...around}>
          <label className="label" htmlFor={input}>
            {p.label}
          </label>
          <Notes {...p} />
          <div className="code">
            <Digits typed={p.digits ?? 0} wrong={Boolean(p.error)} />
            <Input {...p} />
          </div>
          {children}
        </div>
      );
    case "date":
      return (
        <fieldset {...around} {...described(p)}>
          <legend className="label">{p.label}</legend>
          <Notes {...p} />
          <DateInputs {...p} />
          {children}
        </fieldset>
      );
  }
  const drawn = (
    <div {...around}>
      <label className="label" htmlFor={input}>
        {p.label}
        {p.optional && <span className="optional"> (optional)</span>}
      </label>
      {counts(p) ? <ErrorNote {...p} /> : <Notes {...p} />}
      <div className="control">
        {p.prefix && <span className="prefix">{p.prefix}</span>}
        <Input {...p} />
        {p.verified && (
          <span className="verified" id={id("v", p)}>
            {p.verified}
          </span>
        )}
        {p.action && (
          // biome-ignore lint/a11y/useButtonType: it submits, as in components/field.templ
          <button
            className="button button-outline"
            name={p.action.name}
            value={p.action.value}
            aria-busy={p.action.busy || undefined}
          >
            {p.action.label}
          </button>
        )}
      </div>
      {counts(p) && <Tally {...p} />}
      {children}
    </div>
  );
  if (!p.warns) return drawn;
  return (
    <>
      {drawn}
      <div className="notice warns" id={id("w", p)} role="status">
        <div>
          <p>{p.warns}</p>
          <p>If it is right, go on.</p>
        </div>
      </div>
    </>
  );
}

/** Reports whether a field has a character counter. */
const counts = ({ kind, maxlength = 0 }: FieldProps): boolean => kind === "textarea" && maxlength > 0;

/** Returns a field's maximum and current length, counted as rules do: a line end is one character. */
function Tally(p: FieldProps) {
  const most = p.maxlength ?? 0;
  const typed = [...(p.value ?? "").replaceAll("\r\n", "\n")].length;
  return (
    <div className="tally">
      <Hint {...p} />
      <p className={typed > most ? "count is-over" : "count"}>
        <b>{typed}</b>
        {` of ${most}`}
      </p>
    </div>
  );
}

const dateSigns = [
  { sign: "DD", part: "day" },
  { sign: "MM", part: "month" },
  { sign: "YYYY", part: "year" },
];

/** Three inputs of one name. Errors link to the first. */
function DateInputs({ calendar, ...p }: FieldProps) {
  const values = dateParts(p.value ?? "");
  return (
    <div className="control date">
      {dateSigns.map(({ sign, part }, i) => {
        const own = i === 0 ? id("f", p) : `${id("f", p)}-${part}`;
        const { "aria-describedby": _, ...rest } = state({
          ...p,
          autocomplete: p.autocomplete && `${p.autocomplete}-${part}`,
          focused: p.focused === true && i === 0,
        });
        return (
          <div key={part} className={part}>
            <label htmlFor={own}>
              {sign}
              <span className="visually-hidden">{`, ${part}`}</span>
            </label>
            <input {...rest} className="input" id={own} name={p.name} type="text" defaultValue={values[i]} />
          </div>
        );
      })}
      {calendar}
    </div>
  );
}

function Input(p: FieldProps) {
  const common = { id: id("f", p), name: p.name, ...state(p) };
  switch (p.kind) {
    case "select":
    case "country":
      return (
        <select {...common} className="input" defaultValue={p.value || undefined}>
          {p.empty && <option value="">{p.empty}</option>}
          {p.options?.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      );
    case "textarea":
      return <textarea {...common} className="input" rows={4} defaultValue={p.value ?? ""} />;
  }
  return (
    <input
      {...common}
      className={p.kind === "otp" || p.kind === "code" ? `input input-${p.kind}` : "input"}
      type={p.kind === "email" || p.kind === "tel" ? p.kind : "text"}
      defaultValue={p.value ?? ""}
      readOnly={p.readonly}
    />
  );
}

function Box({ id: own, value, checked, ...p }: FieldProps & { id: string; value: string; checked: boolean }) {
  return (
    <input
      {...state(p)}
      className="check"
      id={own}
      name={p.name}
      type="checkbox"
      value={value}
      defaultChecked={checked}
    />
  );
}

function Notes(p: FieldProps) {
  return (
    <>
      <Hint {...p} />
      <ErrorNote {...p} />
    </>
  );
}

function Hint(p: FieldProps) {
  if (!p.hint) return null;
  return (
    <p className="hint" id={id("h", p)}>
      {p.hint}
      {p.live && <span className="with-scripts">{` ${p.live}`}</span>}
    </p>
  );
}

function ErrorNote(p: FieldProps) {
  if (!p.error) return null;
  return (
    <p className="error" id={id("e", p)}>
      <span key={p.error}>
        <Whole words={p.error} />
      </span>
    </p>
  );
}

/** Order of descriptions for screen readers: error, warning, hint, verification. */
const describedBy = (p: FieldProps) =>
  [p.error && id("e", p), p.warns && id("w", p), p.hint && id("h", p), p.verified && id("v", p)]
    .filter(Boolean)
    .join(" ");

const enterKeys: Record<string, "next" | "go"> = {
  text: "next",
  email: "next",
  tel: "next",
  date: "next",
  amount: "next",
  otp: "go",
  code: "go",
};

function described(p: FieldProps): HTMLAttributes<HTMLElement> {
  const by = describedBy(p);
  return by ? { "aria-describedby": by } : {};
}

/** Attributes of a group of radios instead of its inputs. */
function groupState(p: FieldProps): HTMLAttributes<HTMLElement> {
  return { ...described(p), ...(p.error && { "aria-invalid": true }) };
}

/** Attributes that depend on a field's state or kind. */
function state(p: FieldProps): HTMLAttributes<HTMLElement> & { maxLength?: number } {
  return {
    ...described(p),
    ...(enterKeys[p.kind] && { enterKeyHint: enterKeys[p.kind] }),
    ...(p.autocomplete && { autoComplete: p.autocomplete }),
    ...(p.inputmode && { inputMode: p.inputmode as "numeric" }),
    ...(p.placeholder && { placeholder: p.placeholder }),
    ...(p.maxlength && !counts(p) && { maxLength: p.maxlength }),
    ...(p.error && { "aria-invalid": true }),
    ...(p.focused && { autoFocus: true, suppressHydrationWarning: true }), // React misses its own autoFocus
    ...((p.kind === "otp" || p.kind === "code") && { spellCheck: "false" as const }),
    ...(p.kind === "code" && { autoCapitalize: "characters" }),
  };
}

/** Splits a text at its links, in order. */
function linkParts(text: string, links: Link[]): Link[] {
  const parts: Link[] = [];
  for (const link of links) {
    const at = text.indexOf(link.text);
    if (at < 0) continue;
    if (at > 0) parts.push({ text: text.slice(0, at), href: "" });
    parts.push(link);
    text = text.slice(at + link.text.length);
  }
  return text ? [...parts, { text, href: "" }] : parts;
}
