// Messages for calls without a response. Input stays.

export const unreadable = "We could not read the answer. What you typed is kept. Please try again.";

/** Message after a press. The offline notice already says that nothing is lost. */
export const notSent = "Not sent: you are offline. Please try again once you are online.";

export const unreached = (): string =>
  navigator.onLine ? "We cannot be reached at the moment. What you typed is kept. Please try again." : notSent;
