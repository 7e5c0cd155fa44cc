// React's half of components/stepper.templ: steps on one line, and the loops behind a code.
import { codeDigits, digits, loop, type Path, run, tile } from "./braid.ts";

/** State of a step; components.StepState documents each. */
export type StepState = "done" | "current" | "waiting" | "ahead" | "faulty";

export interface NamedStep {
  name: string;
  state: StepState;
  /** Text below the name; without one, screen readers read the state's text. */
  text?: string;
}

const words: Record<StepState, string> = {
  done: ", done",
  current: ", now",
  waiting: ", waiting for the bank",
  ahead: ", to come",
  faulty: ", still open",
};
/** Styles of a loop's two halves; a waiting step has a loop of its own. */
const looks: Record<StepState, [string, string]> = {
  done: ["done", "done"],
  current: ["done", "ahead"],
  waiting: ["", ""],
  faulty: ["broken", "loose"],
  ahead: ["ahead", "ahead"],
};

/** Steps on a line, with names. */
export function Stepper({ steps }: { steps: NamedStep[] }) {
  const done = steps.filter(({ state }) => state === "done").length;
  return (
    <div className="stepper">
      <svg className="braid" viewBox={`-17 -17 ${tile * steps.length - 6} 34`} aria-hidden="true">
        <Paths paths={pathsOf(steps)} />
        {steps.map(({ name, state }, i) => (
          <Dot key={name} state={state} x={tile * i} />
        ))}
      </svg>
      <ol aria-label={`${done} of ${steps.length} steps done`}>
        {steps.map(({ name, state, text }) => (
          <li key={name} className={`is-${state}`}>
            {name}
            {text ? (
              <small className="visually-hidden">{` ${text}`}</small>
            ) : (
              <span className="visually-hidden">{words[state]}</span>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}

function Dot({ state, x }: { state: StepState; x: number }) {
  switch (state) {
    case "done":
      return <circle className="done" cx={x} cy="0" r="4.6" />;
    case "current":
    case "waiting":
      return <circle className="current" cx={x} cy="0" r="4.6" />;
    case "faulty":
      return (
        <g className="bang">
          <circle cx={x} cy="0" r="7.5" /> <path d={`M${x} -4V1M${x} 3.6V4`} />
        </g>
      );
  }
  return <circle cx={x} cy="0" r="3.4" />;
}

function Paths({ paths }: { paths: Path[] }) {
  return paths.map(({ look, d, isLoop }) => (
    <path key={look + d} className={look} d={d} pathLength={isLoop ? 100 : undefined} />
  ));
}

/** Parts of the line: undrawn first, then from the left; equal neighbours are one. */
function pathsOf(steps: NamedStep[]): Path[] {
  const halves = steps.flatMap(({ state }) => looks[state]);
  const paths = steps.flatMap(({ state }, i): Path[] =>
    state !== "waiting"
      ? []
      : ["ahead waiting", "done waiting"].map((look) => ({ look, d: loop(steps.length, i), isLoop: true })),
  );
  for (let from = 0; from < halves.length; ) {
    let to = from + 1;
    while (to < halves.length && halves[to] === halves[from]) to++;
    const look = halves[from];
    if (look) paths.push({ look, d: run(steps.length, from, to) });
    from = to;
  }
  const thin = ({ look }: Path) => Number(look.startsWith("ahead"));
  return paths.sort((a, b) => thin(b) - thin(a));
}

/** Loops behind a verification code, drawn as it is typed; the next digit's loop is half drawn, around a ring. */
export function Digits({ typed, wrong }: { typed: number; wrong: boolean }) {
  const { paths, next, dots } = digits(typed, wrong);
  return (
    <svg className="braid" viewBox={`-20 -20 ${tile * codeDigits} 40`} aria-hidden="true">
      <Paths paths={paths} />
      {next !== undefined && <Caret x={next} />}
      {dots.map((x) => (
        <circle key={x} cx={x} cy="0" r="3" />
      ))}
    </svg>
  );
}

/** Position of the next digit. */
function Caret({ x }: { x: number }) {
  return (
    <g className="next">
      <circle cx={x} cy="0" r="10.5" /> <path d={`M${x} -5.5V5.5`} />
    </g>
  );
}
