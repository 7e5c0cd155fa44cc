// Tab storage survives a reload, and ends with the tab unless that is reopened. Names begin with their island,
// "enrolment:draft", or with "visit:" if shared. Without storage everything else works.

/**
 * Stores the first name of a visitor whose form led to another person's page. While it is stored, no payment empties the
 * storage.
 */
export const typedName = "visit:typed-name";

/** Stores a value as JSON. */
export function save(name: string, value: unknown): void {
  saveText(name, JSON.stringify(value));
}

export function saveText(name: string, text: string): void {
  attempt(() => sessionStorage.setItem(name, text));
}

/** Returns the stored text, "" if there is none. It is external data: parse it by a schema (schema.ts). */
export function load(name: string): string {
  return attempt(() => sessionStorage.getItem(name)) ?? "";
}

export function remove(name: string): void {
  attempt(() => sessionStorage.removeItem(name));
}

export function clearStorage(): void {
  attempt(() => sessionStorage.clear());
}

/** Reports whether anything is stored for an island. */
export function hasDataOf(island = ""): boolean {
  return attempt(() => Object.keys(sessionStorage).some((name) => name.startsWith(`${island}:`))) ?? false;
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined; // storage is full or blocked
  }
}
