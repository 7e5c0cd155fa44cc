// My data in all states.
import { expect, type Page } from "@playwright/test";
import type { Person } from "./person.ts";
import type { State } from "./states.ts";

/** Forms of My data that the person has posted before, in order. */
type Before = (
  post: (form: Record<string, string>, address?: string) => Promise<unknown>,
  person: Person,
) => Promise<unknown>;

const myData = (name: string, before: Before = async () => {}, address = "/account/data"): State => ({
  name: `my data${name && `, ${name}`}`,
  open: async ({ page, person }) => {
    await person.at("signed up");
    await before(async (form, to = "/account/data") => {
      expect((await person.call.post(to, { form, maxRedirects: 0 })).status()).toBe(303);
    }, person);
    await page.goto(address);
  },
});

/** Opens a fold, if this width has folds. */
export const unfold = async (page: Page, fold: string): Promise<void> => {
  await page.goto(`/account/data?at=${fold}`);
};

/** Requests the export and waits until the file is ready. */
export const collect = async (page: Page): Promise<void> => {
  await unfold(page, "file");
  await page.getByRole("button", { name: "Collect my data" }).click();
  await expect(async () => {
    await unfold(page, "file");
    await expect(page.getByRole("link", { name: "Download" })).toBeVisible({ timeout: 500 });
  }).toPass();
};

/** Requests the deletion and confirms it. */
export const askForDeletion = async (page: Page): Promise<void> => {
  await unfold(page, "delete");
  await page.getByRole("link", { name: "Ask for deletion" }).click();
  await page.getByRole("button", { name: "Delete in seven days" }).click();
  await expect(page.getByRole("heading", { name: /^Will be deleted on/ })).toBeVisible();
};

/** Gives or withdraws the consent to a purpose. */
export const choose = async (page: Page, button: "Allow" | "Take back", purpose: string): Promise<void> => {
  await unfold(page, "choices");
  await page.getByRole("button", { name: `${button} ${purpose}` }).click();
};

/** A state that lasts a moment or takes days to reach, from the developers' samples. */
const sample = (name: string, state: string, fold = ""): State =>
  myData(name, undefined, `/dev/my-data/${state}${fold && `?at=${fold}`}`);

export const myDataStates: State[] = [
  myData(""),
  myData(
    "yes and no",
    async (post) => {
      await post({ do: "allow", purpose: "reminders" });
      await post({ do: "allow", purpose: "marketing" });
      await post({ do: "take back", purpose: "marketing" });
    },
    "/account/data?at=choices",
  ),
  myData("nothing collected", undefined, "/account/data?at=file"),
  sample("viewed by staff", "viewed"),
  { ...sample("file under way", "collecting"), refreshes: true },
  sample("file over", "file-over", "file"),
  sample("file not made", "file-not-made", "file"),
  sample("download, sign in again", "stale-download"),
  myData("file ready", async (post, { call }) => {
    await post({ do: "collect" });
    await expect.poll(async () => (await call.get("/account/data")).text()).toContain("/account/data/file/");
  }),
  myData("devices", undefined, "/account/data?at=sessions"),
  myData("what stays", undefined, "/account/data?at=delete"),
  myData("asked once more", undefined, "/account/data/delete"),
  myData("deletion asked", (post) => post({}, "/account/data/delete")),
  sample("deletion would wait", "deletion-would-wait", "delete"),
  sample("deletion postponed", "deletion-postponed"),
  sample("deletion, sign in again", "stale-deletion"),
  myData(
    "deletion taken back",
    async (post) => {
      await post({}, "/account/data/delete");
      await post({ do: "keep" });
    },
    "/account/data?at=delete&kept=1",
  ),
  myData("deletion asked, home", (post) => post({}, "/account/data/delete"), "/hiresure"),
];
