// What the page gives this island: one shape a gateway, told apart by its name. pages/checkout/checkout.go is the twin.

interface Common {
  readonly txn: string;
  readonly amount: string; // as it is to be read
  readonly return: string; // where the outcome is posted
  readonly other: string; // page with the other methods; "" where there is none
}

export interface SandboxPayload extends Common {
  readonly gateway: "sandbox";
  readonly buttons: readonly SandboxButton[];
}

/** One outcome that the sandbox gateway has signed. */
export interface SandboxButton {
  readonly outcome: string;
  readonly label: string;
  readonly signature: string;
  readonly more: boolean; // for developers
}

/** A further gateway adds its shape here, and its widget to `widgets`. */
export type Payload = SandboxPayload;

export type Gateway = Payload["gateway"];
