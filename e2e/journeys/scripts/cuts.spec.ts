// An upload interrupted by a lost connection, a killed site or a closed browser sends hardly any byte twice.
import { chooseFile, pdf, row, slows } from "../../document-states.ts";
import { type Carried, lineTo } from "../../line.ts";
import { expect, test } from "../../test.ts";
import { cutOff, half, label, marks, opens, pieces, upload } from "../../uploads.ts";

/** Returns how many bytes were sent more than once. */
function twice(carried: Carried[]): number {
  let there = 0;
  let again = 0;
  for (const { from, to } of carried) {
    again += Math.max(0, Math.min(there, to) - from);
    there = Math.max(there, to);
  }
  return again;
}

test("of 1.9 MB with three lost connections at most 5 per cent are sent twice @long", async ({
  page,
  person,
  site,
  faults,
}) => {
  test.setTimeout(120_000);
  faults.allow(cutOff);
  const line = await lineTo(site.url);
  await opens(page, person, line.url);
  const file = pdf("marks.pdf", 1900);
  const slow = await slows(page, 250_000);
  await chooseFile(page, label, file, true);
  for (const [percent, unseen] of [
    [/^2[0-9]%$/, false],
    [/^4[0-9]%$/, true],
    [/^6[0-9]%$/, false],
  ] as const) {
    await expect(row(page, "Marksheet").locator(".document-percent")).toHaveText(percent, { timeout: 20_000 });
    line.cut(unseen);
    await expect(row(page, "Marksheet")).toContainText("Connection lost at");
    line.mend();
  }
  await expect(row(page, "Marksheet")).toContainText("Uploaded", { timeout: 30_000 });
  await slow.ends();
  const again = twice(line.carried);
  test.info().annotations.push({ type: "bytes sent twice", description: String(again) });
  console.log(`sent twice: ${again} bytes of ${file.buffer.length}`, line.carried);
  expect(line.carried.length).toBeGreaterThanOrEqual(4);
  expect(line.carried.at(-1)?.to).toBe(file.buffer.length);
  expect(again).toBeLessThanOrEqual(file.buffer.length * 0.05);
  line.close();
});

test("a killed site has stored what it acknowledged", async ({ page, person, site, faults }) => {
  faults.allow(/net::ERR_/);
  await opens(page, person);
  const offsets = pieces(page);
  const slow = await slows(page, 60_000);
  await chooseFile(page, label, marks, true);
  await expect(row(page, "Marksheet").locator(".document-percent")).toHaveText(/^[3-6][0-9]%$/, { timeout: 20_000 });
  const { uploads } = await (await person.call.get(`${upload}/files`)).json();
  const acknowledged = uploads[0].received;
  expect(acknowledged).toBeGreaterThan(0);
  await site.crash();
  await slow.ends();
  await expect(row(page, "Marksheet")).toContainText("Uploaded", { timeout: 30_000 });
  expect(offsets[0]).toBe(0);
  expect(offsets.length).toBeGreaterThan(1);
  for (const offset of offsets.slice(1)) expect(offset).toBeGreaterThanOrEqual(acknowledged);
});

test("an upload resumes in another tab, and the first tab says so @long", async ({ page, person, context }) => {
  await opens(page, person);
  const slow = await slows(page, 40_000);
  await chooseFile(page, label, marks, true);
  await expect(row(page, "Marksheet").locator(".document-percent")).toHaveText(/^[2-6][0-9]%$/, { timeout: 20_000 });
  const other = await context.newPage();
  const offsets = pieces(other);
  await other.goto(upload);
  await chooseFile(other, label, marks, true);
  await expect(row(other, "Marksheet")).toContainText("Uploaded");
  expect(offsets[0]).toBeGreaterThan(0);
  await expect(row(page, "Marksheet")).toContainText("This upload continues in another tab or on another device.");
  await slow.ends();
});

test("an upload resumes on another device", async ({ page, person, site, faults, another }) => {
  faults.allow(cutOff);
  const line = await lineTo(site.url);
  await opens(page, person, line.url);
  await half(page, line, marks);
  const device = await another();
  await device.page.context().addCookies(await page.context().cookies()); // signed in as the same person
  const offsets = pieces(device.page);
  await device.page.goto(upload);
  await expect(row(device.page, "Marksheet")).toContainText("Choose the same file to resume");
  await chooseFile(device.page, label, marks, true);
  await expect(row(device.page, "Marksheet")).toContainText("Uploaded");
  expect(offsets.length).toBe(1);
  expect(offsets[0]).toBeGreaterThan(0);
  line.close();
});
