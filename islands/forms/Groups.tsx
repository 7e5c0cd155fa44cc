// React's half of components/form.templ: renders the groups of any form from its data.
import { type ComponentProps, Fragment, type ReactNode } from "react";
import type { Group } from "./check.ts";
import { Field, type FieldProps } from "./Field.tsx";
import { type FormState, fieldsIn, folds, groupsIn, hidesGroup, propsOf } from "./layout.ts";

/** An island's additions to a field; a group can only have `below`. */
export interface Special {
  /** Not rendered at present. */
  absent?: boolean;
  /** A button next to the input; links in the label. */
  change?: Partial<FieldProps>;
  /** Content below the field's input, or at the end of the group. */
  below?: ReactNode;
}

interface GroupsProps {
  state: FormState;
  place: string;
  /** Additions by the name of a field or group. */
  special?: Record<string, Special>;
  onFold?: ((group: string, open: boolean) => void) | undefined;
}

/** Renders a form's groups of one place. */
export function Groups({ state, place, special = {}, onFold }: GroupsProps) {
  const fields = (group: Group) => (
    <>
      {fieldsIn(state.form, group.name)
        .filter(({ name }) => !special[name]?.absent)
        .map((field) => (
          <Field key={field.name} {...propsOf(state, field)} {...special[field.name]?.change}>
            {special[field.name]?.below}
          </Field>
        ))}
      {special[group.name]?.below}
    </>
  );
  const fold = (group: Group): ComponentProps<"details"> & { "data-group": string } => ({
    className: "more",
    "data-group": group.name,
    open: state.open.includes(group.name),
    hidden: hidesGroup(state, group),
    onToggle: (event) => onFold?.(group.name, event.currentTarget.open),
    suppressHydrationWarning: true, // the visitor may have unfolded it before hydration
  });
  return groupsIn(state, place).map((group) =>
    folds(group) ? (
      <details key={group.name} {...fold(group)}>
        <summary>{group.summary}</summary>
        {group.kind === "details" ? <div className="fields">{fields(group)}</div> : fields(group)}
      </details>
    ) : (
      <Fragment key={group.name}>{fields(group)}</Fragment>
    ),
  );
}
