// What a visitor is told when a call has no answer. What was typed stays where it is.

export const unreadable = "We could not read the answer. What you typed is kept. Please try again.";

export const unreached = (): string =>
  navigator.onLine
    ? "We cannot be reached at the moment. What you typed is kept. Please try again."
    : "You are offline. What you typed is kept.";
