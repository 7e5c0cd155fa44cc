// What a tab keeps for its visitor. It survives a reload, and is gone with the tab unless that is opened again.
// A name begins with the island that it belongs to, "enrolment:draft". A browser that keeps nothing loses nothing else.

export function keep(name: string, value: unknown): void {
  attempt(() => sessionStorage.setItem(name, JSON.stringify(value)));
}

export function kept<T>(name: string): T | undefined {
  return attempt(() => JSON.parse(sessionStorage.getItem(name) ?? "null")) ?? undefined;
}

export function forget(name: string): void {
  attempt(() => sessionStorage.removeItem(name));
}

export function forgetAll(): void {
  attempt(() => sessionStorage.clear());
}

/** Whether anything is kept for an island. */
export function keepsFor(island = ""): boolean {
  return attempt(() => Object.keys(sessionStorage).some((name) => name.startsWith(`${island}:`))) ?? false;
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined; // storage is full, blocked, or not ours to read
  }
}
