import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import type { Common } from "./payload.ts";
import { post } from "./post.ts";
import type { Provider } from "./widgets.ts";

type State = "loading" | "ready" | "offline" | "processing" | "closed" | "failed";

interface Props<P> {
  readonly payload: P;
  readonly provider: Provider<P>;
}

const closed = "If you have approved the payment in your app, do not pay again.";

/** One attempt to pay: loads the provider's script, shows its widget, and posts the outcome to the server. */
export function Checkout<P extends Common>({ payload, provider }: Props<P>) {
  const [state, setState] = useState<State>(provider.load ? "loading" : "ready");
  const sent = useRef(false);

  useEffect(() => {
    let gone = false;
    provider.load?.(payload).then(
      () => gone || setState("ready"),
      () => gone || setState("failed"),
    );
    return () => {
      gone = true;
    };
  }, [provider, payload]);

  const finish = useCallback(
    (fields: Readonly<Record<string, string>>) => {
      if (sent.current) return; // a second press, or a second event of the provider
      sent.current = true;
      const send = () => {
        setState("processing");
        post(payload.return, fields);
      };
      if (navigator.onLine) return send();
      setState("offline"); // a post would show the browser's error page and lose the provider's values
      addEventListener("online", send, { once: true });
    },
    [payload],
  );

  /** Opens the window again. If this attempt has ended or another was paid, the server redirects. */
  const reopen = () => {
    fetch(location.href, { redirect: "manual" }).then(
      (answer) => (answer.ok ? setState("ready") : location.reload()),
      () => setState("failed"),
    );
  };

  useWords("h1", state === "closed" ? "The payment window is closed" : "");
  useWords(".pay-page-intro .lede", state === "closed" ? "We do not know yet whether it is paid." : "");

  switch (state) {
    case "loading":
      return <Loading />;
    case "failed":
      return <FailedToLoad other={payload.other} />;
    case "closed":
      return (
        <Stopped look="info" title="Did you approve it?" text={closed} other={payload.other}>
          <a className="button button-wide" href={`/success?kspay_id=${encodeURIComponent(payload.txn)}`}>
            Yes, or not sure: check it
          </a>
          <button className="button button-outline button-wide" type="button" onClick={reopen}>
            {`No, pay ${payload.amount}`}
          </button>
        </Stopped>
      );
    default:
      return (
        <>
          {state === "offline" && <Failed text="Not sent yet. We send it when you are online." />}
          <provider.Widget
            payload={payload}
            busy={state === "processing" || state === "offline"}
            finish={finish}
            close={() => setState("closed")}
            fail={() => setState("failed")}
          />
          <OtherMethod other={payload.other} />
        </>
      );
  }
}

/** Replaces the page's title or lede while there is a message. */
function useWords(selector: string, words: string) {
  useEffect(() => {
    const said = document.querySelector(selector);
    if (!words || !said) return;
    const before = [...said.childNodes];
    said.replaceChildren(words);
    return () => said.replaceChildren(...before);
  }, [selector, words]);
}

export function Loading() {
  return (
    <p className="loading" role="status">
      <span>Opening the payment window…</span>
    </p>
  );
}

export function FailedToLoad({ other }: { other: string }) {
  return (
    <Stopped text="The payment window failed to load. Are you online?" other={other}>
      <button className="button button-gold button-wide" type="button" onClick={() => location.reload()}>
        Try again
      </button>
    </Stopped>
  );
}

export function Unsupported({ other }: { other: string }) {
  return <Stopped text="Unsupported gateway" other={other} />;
}

type Look = "failed" | "info";

function Stopped(props: { look?: Look; title?: string; text: string; other: string; children?: ReactNode }) {
  const { look = "failed", title, text, other, children } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []); // also scrolls to it: a low screen shows only the ticket
  return (
    <div className="stack">
      {title && (
        <h2 ref={heading} tabIndex={-1}>
          {title}
        </h2>
      )}
      <Heard look={look} text={text} />
      {children}
      <OtherMethod other={other} />
    </div>
  );
}

export function Failed({ text }: { text: string }) {
  return <Heard look="failed" text={text} />;
}

function Heard({ look, text }: { look: Look; text: string }) {
  return (
    <p className={`notice notice-${look}`} role="alert">
      <span className="icon icon-bang" aria-hidden="true" />
      <span>{text}</span>
    </p>
  );
}

function OtherMethod({ other }: { other: string }) {
  return other ? (
    <p className="other-method">
      <a href={other}>Another method</a>
    </p>
  ) : null;
}
