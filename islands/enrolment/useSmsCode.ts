import { useEffect } from "react";
import { usePart } from "../forms/island.ts";
import { edit } from "./actions.ts";
import type { Island } from "./island.ts";

/** Lets the browser read the code out of the SMS (WebOTP). */
export function useSmsCode(island: Island): void {
  const isExpected = usePart(island, ({ view }) => view.phone.phase === "sent");
  useEffect(() => {
    if (!isExpected || !("OTPCredential" in window)) return;
    const abort = new AbortController();
    const options: CredentialRequestOptions & { otp: object } = { otp: { transport: ["sms"] }, signal: abort.signal };
    navigator.credentials
      .get(options)
      .then((credential) => {
        const field = island.fields.find("otp");
        if (!field || !credential || !("code" in credential) || typeof credential.code !== "string") return;
        field.value = credential.code;
        edit(island, field, false);
      })
      .catch(() => undefined); // denied, or another tab got the code: the visitor types it
    return () => abort.abort();
  }, [island, isExpected]);
}
