// What a visitor is told when a call has no answer. What was typed stays where it is.

export const unreadable = "We could not read the answer. What you typed is kept. Please try again.";

/** The outcome of a press. The visible strip says that nothing is lost. */
export const notSent = "Not sent: you are offline. Please try again once you are online.";

export const unreached = (): string =>
  navigator.onLine ? "We cannot be reached at the moment. What you typed is kept. Please try again." : notSent;
