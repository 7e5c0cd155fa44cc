// Documents with scripts: received bytes are never sent again.
import type { Page } from "@playwright/test";
import { chooseFile, pdf, picture, row, slows } from "../../document-states.ts";
import { lineTo } from "../../line.ts";
import { expect, test } from "../../test.ts";
import { cutOff, half, label, marks, opens, pieces, upload } from "../../uploads.ts";

test("an upload resumes after a lost connection", async ({ page, person, site, faults }) => {
  faults.allow(cutOff);
  const line = await lineTo(site.url);
  await opens(page, person, line.url);
  const offsets = pieces(page);
  await half(page, line, marks);
  line.mend();
  await expect(row(page, "Marksheet")).toContainText("Uploaded", { timeout: 20_000 });
  await expect(row(page, "Marksheet")).toContainText("marks.pdf");
  expect(offsets[0]).toBe(0);
  expect(offsets.at(-1)).toBeGreaterThan(0);
  line.close();
});

test("an upload of a closed tab resumes with the same file only", async ({ page, person, site, context, faults }) => {
  faults.allow(cutOff);
  const line = await lineTo(site.url);
  await opens(page, person, line.url);
  await half(page, line, marks);
  await page.close();
  line.mend();
  const later = await context.newPage();
  const offsets = pieces(later);
  await later.goto(line.url + upload);
  await expect(row(later, "Marksheet")).toContainText("Choose the same file to resume");
  await chooseFile(later, label, marks, true);
  await expect(row(later, "Marksheet")).toContainText("Uploaded");
  expect(offsets.length).toBeGreaterThan(0);
  expect(offsets).not.toContain(0);

  await half(later, line, pdf("one.pdf", 400));
  line.mend();
  await later.reload();
  await expect(row(later, "Marksheet")).toContainText("one.pdf");
  offsets.length = 0;
  await chooseFile(later, label, pdf("two.pdf", 300), true);
  await expect(row(later, "Marksheet")).toContainText("two.pdf, ");
  await expect(row(later, "Marksheet")).toContainText("Uploaded");
  expect(offsets).toEqual([0]);
  line.close();
});

test("two files are sent at once, and a stopped one leaves nothing", async ({ page, person }) => {
  await opens(page, person);
  const slow = await slows(page, 60_000);
  await chooseFile(page, label, marks, true);
  await chooseFile(page, "Family Income Certificate", pdf("income.pdf", 400), true);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("2 uploading");
  await row(page, "Marksheet").getByRole("button", { name: "Stop" }).click();
  await expect(row(page, "Marksheet")).not.toContainText("marks.pdf");
  await slow.ends();
  await expect(row(page, "Income")).toContainText("Uploaded");
  await page.reload();
  await expect(row(page, "Marksheet")).not.toContainText("marks.pdf");
});

const files = /upload-doc\/files\/\w+$/;

test("a stopped upload is reported as deleted once it is", async ({ page, person, site, faults }) => {
  faults.allow(cutOff);
  const line = await lineTo(site.url);
  await opens(page, person, line.url);
  await half(page, line, marks);
  const status = page.getByRole("status").filter({ hasText: label });
  const stop = row(page, "Marksheet").getByRole("button", { name: "Stop" });
  const kept = async () => (await (await person.call.get(`${upload}/files`)).json()).uploads.length;
  await stop.click();
  await expect(row(page, "Marksheet")).toContainText("Stopped, but we could not delete the uploaded part.");
  await expect(status).not.toContainText("and deleted");
  expect(await kept()).toBe(1);
  line.mend();
  await row(page, "Marksheet").getByRole("button", { name: "Delete this upload" }).click();
  await expect(status).toContainText("stopped and deleted");
  expect(await kept()).toBe(0);
  await expect(row(page, "Marksheet")).not.toContainText("marks.pdf");
  line.close();
});

test("an upload stopped while offline is deleted once online", async ({ page, person }) => {
  await opens(page, person);
  await page.route(files, (route) => route.fulfill({ status: 408 }));
  await chooseFile(page, label, marks, true);
  await expect(row(page, "Marksheet")).toContainText("Connection lost at 0 of 400 KB");
  await row(page, "Marksheet").getByRole("button", { name: "Stop" }).click();
  await expect(row(page, "Marksheet")).toContainText("Stopped, but");
  const offsets = pieces(page);
  await page.unroute(files);
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await expect(row(page, "Marksheet")).not.toContainText("marks.pdf");
  expect(offsets).toEqual([]);
  await page.reload();
  await expect(row(page, "Marksheet")).toContainText("PDF, PNG, JPG or JPEG, up to 2 MB");
});

test("an unfinished upload is deleted, or reported as still there", async ({ page, person }) => {
  await opens(page, person);
  await page.route(files, (route) => route.fulfill({ status: 408 }));
  await chooseFile(page, label, marks, true);
  await expect(row(page, "Marksheet")).toContainText("Connection lost");
  await page.reload();
  const forget = row(page, "Marksheet").getByRole("button", { name: "Delete this upload" });
  await forget.click();
  await expect(row(page, "Marksheet")).toContainText("Stopped, but we could not delete");
  await page.unroute(files);
  await forget.click();
  await expect(row(page, "Marksheet")).not.toContainText("Stopped, but");
  await expect(forget).toHaveCount(0);
  expect((await (await person.call.get(`${upload}/files`)).json()).uploads).toEqual([]);
});

test("an upload stopped before it began sends nothing @long", async ({ page, person }) => {
  await opens(page, person);
  const begun: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") begun.push(request.headers()["upload-metadata"] ?? "");
  });
  const [script, drawn] = [await holds(page, "**/send-*.js"), await holds(page, `**${upload}`)];
  await chooseFile(page, label, marks, true);
  await row(page, "Marksheet").getByRole("button", { name: "Stop" }).click();
  await expect(row(page, "Marksheet")).toContainText("Stopping…");
  script();
  await chooseFile(page, "Family Income Certificate", pdf("income.pdf", 4), true); // queued behind the other until the script loads
  await expect.poll(() => begun.length).toBeGreaterThan(0);
  drawn();
  await expect(row(page, "Income")).toContainText("Uploaded");
  await expect(row(page, "Marksheet")).not.toContainText("marks.pdf");
  expect(begun).toHaveLength(1);
  expect(begun[0]).toContain(`kind ${btoa("incomeCert")}`);
});

test("a rejected optional file does not block SUBMIT", async ({ page, person }) => {
  await opens(page, person);
  const income = "Family Income Certificate";
  const title = page.getByRole("heading", { level: 1 });
  const text = { name: "income.txt", mimeType: "text/plain", buffer: Buffer.from("no document") };
  await chooseFile(page, income, text, true);
  await expect(title).toHaveText("Three documents are missing");
  await chooseFile(page, "Passport photo", picture("me.jpg"), true);
  await expect(row(page, "Passport photo")).toContainText("Uploaded");
  for (const name of ["Student ID", label]) {
    await chooseFile(page, name, pdf("paper.pdf", 4), true);
    await expect(row(page, name)).toContainText("Uploaded");
  }
  await expect(row(page, "Income")).toContainText("Only JPG, JPEG, PDF, or PNG files are allowed"); // what it said stays
  await expect(title).toHaveText("All three are in");
  await expect(page.locator(".application-intro .lede")).toHaveText(
    "We could not take the optional file; it says why. You can SUBMIT without it.",
  );
  await page.getByRole("button", { name: "SUBMIT", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Documents Uploaded successfully!" })).toBeVisible();
});

/** Holds back responses of an address until released. */
async function holds(page: Page, address: string): Promise<() => void> {
  let letGo = () => {};
  const gone = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route(address, async (route) => {
    await gone;
    await route.continue();
  });
  return letGo;
}

test("files chosen before the script has loaded are sent once it has", async ({ page, person }) => {
  await opens(page, person);
  const come = await holds(page, "**/upload-*.js");
  await page.reload({ waitUntil: "domcontentloaded" });
  await page.getByLabel(label).setInputFiles(marks);
  await page.getByLabel("Passport photo").setInputFiles(picture("me.jpg"));
  await expect(page.locator("form.is-live")).toHaveCount(0);
  come();
  await expect(row(page, "Marksheet")).toContainText("marks.pdf");
  await expect(row(page, "Marksheet")).toContainText("Uploaded");
  await page.getByRole("button", { name: "Use this photo" }).click();
  await expect(row(page, "Passport photo")).toContainText("Uploaded");
});

test("an upload continues after the script that sends has failed to load once @long", async ({
  page,
  person,
  faults,
}) => {
  faults.allow(/net::ERR_/);
  await opens(page, person);
  await page.route("**/send-*.js", (route) => route.abort());
  await chooseFile(page, label, marks, true);
  await expect(row(page, "Marksheet")).toContainText(
    "We cannot be reached at the moment. Press Continue now to try again",
  );
  const goOn = row(page, "Marksheet").getByRole("button", { name: "Continue now" });
  await goOn.click();
  await expect(row(page, "Marksheet")).toContainText("Press Continue now to try again");
  await page.unroute("**/send-*.js");
  await goOn.click();
  await expect(row(page, "Marksheet")).toContainText("Uploaded");
});
