// My data: consents, everything as one file, and deletion, with and without scripts.
import { readFile } from "node:fs/promises";
import { inflateRawSync } from "node:zlib";
import { askForDeletion, choose, collect, unfold } from "../mydata-states.ts";
import { expect, test } from "../test.ts";

/** Returns a ZIP's files by name, located by its central directory. */
const unzip = (zip: Buffer): Map<string, string> => {
  const files = new Map<string, string>();
  const end = zip.lastIndexOf("PK\x05\x06");
  let entry = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [size, name, extra, comment] = [20, 28, 30, 32].map((at) =>
      at === 20 ? zip.readUInt32LE(entry + at) : zip.readUInt16LE(entry + at),
    ) as [number, number, number, number];
    const local = zip.readUInt32LE(entry + 42);
    const begins = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const packed = zip.subarray(begins, begins + size);
    files.set(zip.toString("utf8", entry + 46, entry + 46 + name), inflateRawSync(packed).toString("utf8"));
    entry += 46 + name + extra + comment;
  }
  return files;
};

test("all stored data is exported as one file @once", async ({ page, person, another }) => {
  await person.at("signed up");
  await person.at("paid");
  await collect(page);
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^hiresure-my-data-\d{4}-\d\d-\d\d\.zip$/);
  const files = unzip(await readFile(await download.path()));
  expect([...files.keys()].sort()).toEqual(
    ["answers.json", "index.html", "messages.json", "money.json", "yes-no.json", "you.json"].sort(),
  );
  const { registrations } = JSON.parse(files.get("answers.json") ?? "");
  expect(registrations).toMatchObject([
    { id: person.registration, full_name: person.name, phone: `+91${person.phone}` },
  ]);
  const { transactions, invoices } = JSON.parse(files.get("money.json") ?? "");
  expect(transactions).toMatchObject([{ id: person.payment, state: "paid", charge_minor: 149900 }]);
  expect(invoices).toHaveLength(1);
  for (const text of [`What we hold on ${person.name}`, person.email, person.registration]) {
    expect(files.get("index.html")).toContain(text);
  }

  const { page: stranger, person: other } = await another();
  await other.at("signed up");
  expect((await stranger.request.get(download.url())).status()).toBe(404);
});

test("a consent is withdrawn as easily as given @once", async ({ page, person }) => {
  await person.at("signed up");
  await choose(page, "Allow", "Reminders");
  await expect(page.getByRole("heading", { name: "Your choices: 1 yes, 3 no" })).toBeVisible();
  await expect(page).toHaveURL("/account/data?at=choices#choices");
  await page.getByRole("button", { name: "Withdraw Reminders" }).click();
  await expect(page.getByRole("heading", { name: "Your choices: 0 yes, 4 no" })).toBeVisible();
  await expect(page.getByText(/^Withdrawn/)).toBeVisible();
});

test("a deletion is requested, notified, shown and cancelled @once", async ({ page, person }) => {
  await person.at("signed up");
  await askForDeletion(page);
  await expect
    .poll(
      async () =>
        (await person.mails()).filter(({ body }) => body.includes("We delete your HireSure account on")).length,
    )
    .toBe(1);
  await page.goto("/hiresure");
  await page.getByRole("link", { name: "Keep my account" }).click();
  await expect(page.getByRole("button", { name: "Keep my account" })).toBeInViewport({ ratio: 1 }); // the link's target
  await page.getByRole("button", { name: "Keep my account" }).click();
  await unfold(page, "delete");
  await expect(page.getByRole("link", { name: "Ask for deletion" })).toBeVisible();
  await page.goto("/hiresure");
  await expect(page.getByRole("link", { name: "Keep my account" })).toBeHidden();
});
