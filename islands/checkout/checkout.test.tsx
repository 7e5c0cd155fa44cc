import type { ReactNode } from "react";
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Checkout } from "./Checkout.tsx";
import { open } from "./main.tsx";
import type { SandboxPayload } from "./payload.ts";
import { sandbox } from "./sandbox.tsx";
import { type Provider, type WidgetProps, widgets } from "./widgets.ts";

const payload: SandboxPayload = {
  gateway: "sandbox",
  txn: "t1",
  amount: "₹999",
  return: "/checkout/t1/return",
  other: "/pay",
  provider: {
    buttons: [
      { outcome: "paid", label: "Pay ₹999", signature: "s-paid", more: false },
      { outcome: "failed", label: "Fail", signature: "s-failed", more: false },
      { outcome: "pending", label: "Leave pending", signature: "s-pending", more: false },
      { outcome: "late", label: "Fail now, be paid a little later", signature: "s-late", more: true },
    ],
  },
};

const failedToLoad = "The payment window failed to load. Are you online?";

let root: Root | undefined;
let sent: { action: string; fields: Record<string, string> }[];
let reload: ReturnType<typeof vi.fn>;

beforeEach(() => {
  vi.stubGlobal("fetch", async () => ({ ok: true })); // the reloaded checkout: the attempt is still open
  sent = [];
  vi.spyOn(HTMLFormElement.prototype, "submit").mockImplementation(function (this: HTMLFormElement) {
    const fields = Object.fromEntries([...new FormData(this)].map(([name, value]) => [name, String(value)]));
    sent.push({ action: this.getAttribute("action") ?? "", fields });
  });
  reload = vi.fn();
  vi.stubGlobal("location", { hash: "", reload });
});

afterEach(async () => {
  await act(async () => root?.unmount());
  root = undefined;
  document.body.replaceChildren();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

async function show(content: ReactNode): Promise<void> {
  const place = document.body.appendChild(document.createElement("div"));
  root = createRoot(place);
  await act(async () => root?.render(content));
}

const text = (): string => document.body.textContent ?? "";
const button = (label: string): HTMLButtonElement => {
  const found = [...document.querySelectorAll("button")].find((b) => b.textContent === label);
  if (!found) throw new Error(`no button "${label}" in: ${text()}`);
  return found;
};
const press = (label: string): Promise<void> => act(async () => button(label).click());

describe("the sandbox", () => {
  it("offers the page's outcomes, with the developers' ones in a list", async () => {
    await show(<Checkout payload={payload} provider={sandbox} />);
    expect([...document.querySelectorAll("button")].map((b) => b.textContent)).toEqual(
      payload.provider.buttons.map((b) => b.label),
    );
    expect(document.querySelector("details")?.textContent).toBe("More outcomesFail now, be paid a little later");
    expect(document.querySelector("a")?.getAttribute("href")).toBe("/pay");
  });

  it.each(payload.provider.buttons)(
    "posts $outcome as the page would, signed by the server",
    async ({ outcome, label, signature }) => {
      await show(<Checkout payload={payload} provider={sandbox} />);
      await press(label);
      expect(sent).toEqual([{ action: "/checkout/t1/return", fields: { outcome, signature } }]);
    },
  );

  it("shows that it is sending, and sends once", async () => {
    await show(<Checkout payload={payload} provider={sandbox} />);
    await press("Pay ₹999");
    expect(button("Processing...").getAttribute("aria-busy")).toBe("true");
    await press("Processing...");
    await press("Fail");
    expect(sent).toHaveLength(1);
  });

  it("sends nothing while offline, says so, and continues once online", async () => {
    const online = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    await show(<Checkout payload={payload} provider={sandbox} />);
    await press("Pay ₹999");
    await press("Fail");
    expect(sent).toEqual([]);
    expect(document.querySelector("[role=alert]")?.textContent).toBe("Not sent yet. We send it when you are online.");
    online.mockReturnValue(true);
    await act(async () => void dispatchEvent(new Event("online")));
    await act(async () => void dispatchEvent(new Event("online")));
    expect(sent.map(({ fields }) => fields)).toEqual([{ outcome: "paid", signature: "s-paid" }]);
    expect(document.querySelector("[role=alert]")).toBeNull();
  });
});

let last: WidgetProps<SandboxPayload>;

function Widget(props: WidgetProps<SandboxPayload>) {
  last = props;
  return <p>window</p>;
}

describe("a provider's window", () => {
  it("shows a message while loading", async () => {
    let arrive = () => {};
    const script = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    await show(<Checkout payload={payload} provider={{ ...sandbox, load: () => script, Widget }} />);
    expect(text()).toBe("Opening the payment window…");
    await act(async () => arrive());
    expect(text()).toBe("windowAnother method");
  });

  it("that fails to load offers a retry and another method", async () => {
    const provider: Provider<SandboxPayload> = { ...sandbox, load: () => Promise.reject(new Error("offline")), Widget };
    await show(<Checkout payload={payload} provider={provider} />);
    expect(document.querySelector('[role="alert"]')?.textContent).toBe(failedToLoad);
    expect(document.querySelector("a")?.textContent).toBe("Another method");
    await press("Try again");
    expect(reload).toHaveBeenCalledOnce();
    expect(sent).toEqual([]);
  });

  it("that was closed asks the payer and can be opened again", async () => {
    const title = document.body.appendChild(document.createElement("h1"));
    title.textContent = "Complete your payment";
    const lede = document.body.appendChild(document.createElement("div"));
    lede.innerHTML = '<p class="lede">You get your ticket as soon as you pay.</p>';
    lede.className = "pay-page-intro";
    await show(<Checkout payload={payload} provider={{ ...sandbox, Widget }} />);
    await act(async () => last.close());
    expect(title.textContent).toBe("The payment window is closed");
    expect(lede.textContent).toBe("We do not know yet whether it is paid.");
    expect(document.activeElement?.textContent).toBe("Did you approve it?");
    expect(document.querySelector('[role="alert"]')?.textContent).toBe(
      "If you have approved the payment in your app, do not pay again.",
    );
    const asks = document.querySelector<HTMLAnchorElement>("a.button");
    expect(asks?.textContent).toBe("Yes, or not sure: check it");
    expect(asks?.getAttribute("href")).toBe(`/success?kspay_id=${payload.txn}`);
    await press("No, pay ₹999");
    expect(text()).toBe("Complete your paymentYou get your ticket as soon as you pay.windowAnother method");
    expect(sent).toEqual([]);
  });

  it.each([
    ["the server leads elsewhere: it is over, or another has paid", async () => ({ ok: false }), 1, "No, pay ₹999"],
    ["nobody answers", () => Promise.reject(new Error("offline")), 0, failedToLoad],
  ])("that was closed is not opened again where %s", async (_, answer, reloads, says) => {
    const fetched = vi.fn(answer);
    vi.stubGlobal("fetch", fetched);
    await show(<Checkout payload={payload} provider={{ ...sandbox, Widget }} />);
    await act(async () => last.close());
    await press("No, pay ₹999");
    expect(fetched).toHaveBeenCalledExactlyOnceWith(location.href, { redirect: "manual" });
    expect(reload).toHaveBeenCalledTimes(reloads);
    expect(text()).toContain(says);
  });

  it("that fails says so without the provider's name", async () => {
    await show(<Checkout payload={{ ...payload, other: "" }} provider={{ ...sandbox, Widget }} />);
    await act(async () => last.fail());
    expect(text()).toBe(`${failedToLoad}Try again`);
  });
});

describe("the island", () => {
  const page = (props: string): HTMLElement => {
    const island = document.createElement("div");
    island.dataset.island = "checkout";
    const script = document.createElement("script");
    script.type = "application/json";
    script.textContent = props;
    const place = document.createElement("div");
    place.className = "island-root";
    place.textContent = "what the server sent";
    island.append(script, place);
    document.body.append(island);
    return island;
  };

  it.each([
    ["mounts over the page's form", JSON.stringify(payload), "Pay"],
    ["names a gateway that it does not know", JSON.stringify({ ...payload, gateway: "nosuch" }), "Unsupported gateway"],
    [
      "is not fooled by a name that every object has",
      JSON.stringify({ ...payload, gateway: "toString" }),
      "Unsupported gateway",
    ],
    ["without a payload says that it failed", "", failedToLoad],
    [
      "with a payload that is not its gateway's says that it failed, and leads to another method",
      JSON.stringify({ ...payload, provider: {} }),
      `${failedToLoad}Try againAnother method`,
    ],
    [
      "posts to no other site",
      JSON.stringify({ ...payload, return: "//elsewhere.example/return" }),
      `${failedToLoad}Try againAnother method`,
    ],
  ])("%s", async (_, props, shown) => {
    const island = page(props);
    await act(async () => open(island));
    expect(text()).toContain(shown);
    expect(text()).not.toContain("what the server sent");
    expect(sent).toEqual([]);
  });

  it.each([true, false])("keeps the list of outcomes as the visitor left it: unfolded is %s", async (unfolded) => {
    const island = page(JSON.stringify(payload));
    (island.querySelector(".island-root") as Element).innerHTML =
      `<details${unfolded ? " open" : ""}><summary>More outcomes</summary></details>`;
    await act(async () => open(island));
    const list = document.querySelector("details");
    expect(list?.open).toBe(unfolded);
    expect(list?.textContent).toContain("Fail now, be paid a little later");
  });

  const form = '<form method="post" action="/checkout/t1/return"><button>Pay</button></form>';
  const instead = "The payment window failed to load. Pay with the buttons here instead.";

  it.each([
    ["whose script does not load", { ...sandbox, load: () => Promise.reject(new Error("offline")) }, payload],
    ["of whose payload the page has nothing", sandbox, undefined],
    ["of whose payload the page has another's", sandbox, { ...payload, provider: {} }],
  ])("leaves the form that works beside a widget %s, and says so", async (_, provider, props) => {
    vi.spyOn(widgets, "sandbox").mockResolvedValue(provider);
    const island = page(props ? JSON.stringify(props) : "");
    (island.querySelector(".island-root") as Element).innerHTML = form;
    await act(async () => open(island));
    expect(document.querySelector("[role=alert]")?.textContent).toBe(instead);
    expect(island.querySelector(".island-root")?.innerHTML).toBe(form);
    expect(text()).not.toContain("Try again");
  });

  it("keeps the server's form if the widget's file does not load", async () => {
    vi.spyOn(widgets, "sandbox").mockRejectedValue(new Error("offline"));
    const island = page(JSON.stringify(payload));
    (island.querySelector(".island-root") as Element).innerHTML = form;
    await act(async () => open(island));
    expect([document.querySelector("[role=alert]")?.textContent, island.querySelector("form") !== null]).toEqual([
      instead,
      true,
    ]);
  });

  it("keeps the server's form until the widget's script has loaded, and loads it once", async () => {
    let arrive = () => {};
    const load = vi.fn(() => new Promise<void>((resolve) => (arrive = resolve)));
    vi.spyOn(widgets, "sandbox").mockResolvedValue({ ...sandbox, load, Widget });
    const island = page(JSON.stringify(payload));
    (island.querySelector(".island-root") as Element).innerHTML = form;
    const opened = open(island);
    await act(async () => {});
    expect([island.querySelector("form") !== null, text()]).toEqual([true, expect.not.stringContaining("Opening")]);
    await act(async () => {
      arrive();
      await opened;
    });
    expect([island.querySelector("form"), text()]).toEqual([null, expect.stringContaining("window")]);
    expect(load).toHaveBeenCalledOnce();
    expect(document.querySelector("[role=alert]")).toBeNull();
  });

  it("keeps the server's forms for a gateway without a widget", async () => {
    const island = page(JSON.stringify({ ...payload, gateway: "goldbars", other: "/pay" }));
    (island.querySelector(".island-root") as Element).innerHTML =
      '<form method="post" action="https://pay.goldbars.example/pay"><button>Pay with gold</button></form>';
    await act(async () => open(island));
    expect(island.querySelector("form")?.getAttribute("action")).toBe("https://pay.goldbars.example/pay");
    expect(text()).toContain("Pay with gold");
    expect(text()).not.toContain("Unsupported gateway");
  });

  it.each([
    ["browser back", () => new Event("popstate"), 1],
    ["a page brought back from memory", () => Object.assign(new Event("pageshow"), { persisted: true }), 1],
    ["a page that was just loaded", () => Object.assign(new Event("pageshow"), { persisted: false }), 0],
  ])("%s", async (_, event, times) => {
    const listeners: [string, EventListener][] = [];
    vi.spyOn(window, "addEventListener").mockImplementation((kind, listener) => {
      listeners.push([kind, listener as EventListener]);
    });
    await act(async () => open(page(JSON.stringify(payload))));
    const happened = event();
    for (const [kind, listener] of listeners) if (kind === happened.type) listener(happened);
    expect(reload).toHaveBeenCalledTimes(times);
  });
});
