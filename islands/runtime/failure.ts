// What a visitor is told when a call has no answer. What was typed stays where it is.

export const unreadable = "We could not read the answer. What you typed is kept. Please try again.";

/** What has become of a press; that nothing is lost the strip says, which is in sight all the while. */
export const notSent = "Not sent: you are offline. Please try again once you are online.";

export const unreached = (): string =>
  navigator.onLine ? "We cannot be reached at the moment. What you typed is kept. Please try again." : notSent;
