const patience = 20_000; // ms until the page asks to try again

const loading = new Map<string, Promise<void>>();

/** Loads a provider's script once per page. Rejects on failure or timeout; the next call loads it again. */
export function loadScript(address: string): Promise<void> {
  const begun = loading.get(address);
  if (begun) return begun;
  const loaded = insert(address).catch((reason: unknown) => {
    loading.delete(address);
    throw reason;
  });
  loading.set(address, loaded);
  return loaded;
}

function insert(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    const fail = (why: string) => {
      clearTimeout(timer);
      script.remove();
      reject(new Error(`script ${address}: ${why}`));
    };
    const timer = setTimeout(() => fail("does not come"), patience);
    script.addEventListener("load", () => {
      clearTimeout(timer);
      resolve();
    });
    script.addEventListener("error", () => fail("does not load"));
    script.src = address;
    document.head.append(script);
  });
}
