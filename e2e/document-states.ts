// The documents of an application, in every state.
import { readFileSync } from "node:fs";
import { expect, type Page } from "@playwright/test";
import { applied } from "./fee-states.ts";
import type { State } from "./states.ts";

const upload = "/hiresure/upload-doc";

const portrait = readFileSync(new URL("testdata/portrait.jpg", import.meta.url));

/** A drawing of 900 × 1200 pixels in place of a phone's portrait photo. */
export const picture = (name: string) => ({ name, mimeType: "image/jpeg", buffer: portrait });

/** Chooses a file, which scripts send at once; a photo is cropped first. */
export async function chooseFile(page: Page, label: string, file: ReturnType<typeof picture>, scripts: boolean) {
  if (scripts) await expect(page.locator("form.is-live")).toBeVisible();
  await page.getByLabel(label).setInputFiles(file);
  if (!scripts || label !== "Passport photo" || !file.mimeType.startsWith("image/")) return;
  await page.getByRole("button", { name: "Use this photo" }).click();
}

/** Uploads a picture for each label. */
const sends = async (page: Page, labels: string[], scripts: boolean, press = "Upload") => {
  await page.goto(upload);
  for (const label of labels) {
    await chooseFile(page, label, picture(`${label.toLowerCase().replaceAll(" ", "-")}.jpg`), scripts);
    if (scripts) await expect(row(page, label)).toContainText("Uploaded");
  }
  if (!scripts || press !== "Upload") await page.getByRole("button", { name: press, exact: true }).click();
};
export const row = (page: Page, label: string) => page.locator("li.document").filter({ hasText: label });
const needed = ["Passport photo", "Student ID", "Last Academic Marksheet"];

/** Returns a PDF of one empty page and the given number of bytes; the device cannot shrink PDFs. */
export function pdf(name: string, kilobytes: number) {
  let text = "%PDF-1.4\n";
  const begin: number[] = [];
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<<>>>>",
    `<</Length ${kilobytes * 1024 - 700}>>\nstream\n${"\n".repeat(kilobytes * 1024 - 700)}\nendstream`,
  ];
  for (const [i, object] of objects.entries()) {
    begin.push(text.length);
    text += `${i + 1} 0 obj\n${object}\nendobj\n`;
  }
  const table = begin.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("");
  text += `xref\n0 5\n0000000000 65535 f \n${table}trailer\n<</Size 5/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF\n`;
  return { name, mimeType: "application/pdf", buffer: Buffer.from(text.padEnd(kilobytes * 1024, "\n"), "latin1") };
}

/** Limits a page's upload speed, in bytes per second. */
export async function slows(page: Page, uploadThroughput: number) {
  const devtools = await page.context().newCDPSession(page);
  const throughput = { downloadThroughput: -1, uploadThroughput };
  await devtools.send("Network.emulateNetworkConditions", { offline: false, latency: 0, ...throughput });
  return { ends: () => devtools.detach() };
}

const scripted = (name: string, look: (page: Page) => Promise<unknown>): State => ({
  ...applied(name, "paid", look),
  needs: "scripts",
});

export const documentStates: State[] = [
  applied("documents, none yet", "paid", (page) => page.goto(upload)),
  applied("documents, refused", "paid", async (page, _, scripts) => {
    await page.goto(upload);
    for (const [label, name] of [
      ["Passport photo", "IMG_2041.HEIC"],
      ["Student ID", "student-id.docx"],
    ] as const)
      await chooseFile(
        page,
        label,
        { name, mimeType: "application/octet-stream", buffer: Buffer.from("no picture") },
        scripts,
      );
    if (!scripts) await page.getByRole("button", { name: "Upload", exact: true }).click();
    await expect(row(page, "Student ID")).toContainText("Only JPG, JPEG, PDF, or PNG files are allowed");
    if (!scripts) return;
    await chooseFile(page, "Last Academic Marksheet", pdf("marksheets-all.pdf", 6349), scripts);
    await expect(row(page, "Marksheet")).toContainText("This PDF has 6,349 KB. The limit is 2,048 KB.");
  }),
  scripted("documents, on their way", async (page) => {
    await page.goto(upload);
    await chooseFile(page, "Passport photo", picture("asha-photo.jpg"), true);
    await expect(row(page, "Passport photo")).toContainText("Uploaded");
    await slows(page, 40_000);
    await chooseFile(page, "Student ID", pdf("student-id.pdf", 1434), true);
    await chooseFile(page, "Last Academic Marksheet", pdf("marksheet-2024.pdf", 1843), true);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("1 uploaded, 2 uploading");
    await expect(row(page, "Student ID").locator(".document-percent")).toHaveText(/^[1-9][0-9]?%$/);
  }),
  scripted("documents, connection lost", async (page) => {
    await page.goto(upload);
    await page.route("**/upload-doc/files/*", (route) => route.fulfill({ status: 408 }));
    await chooseFile(page, "Last Academic Marksheet", pdf("marksheet-2024.pdf", 1843), true);
    await expect(row(page, "Marksheet")).toContainText("Connection lost at 0 of 1,843 KB. Resuming in");
  }),
  scripted("documents, begun before", async (page) => {
    await page.goto(upload);
    await page.route("**/upload-doc/files/*", (route) => route.fulfill({ status: 408 }));
    await chooseFile(page, "Last Academic Marksheet", pdf("marksheet-2024.pdf", 1843), true);
    await expect(row(page, "Marksheet")).toContainText("Connection lost");
    await page.goto(upload);
    await expect(row(page, "Marksheet")).toContainText("Choose the same file to resume");
  }),
  scripted("documents, the photo is cropped", async (page) => {
    await page.goto(upload);
    const file = picture("asha-photo.jpg");
    await expect(page.locator("form.is-live")).toBeVisible();
    await page.getByLabel("Passport photo").setInputFiles(file);
    await expect(page.getByRole("heading", { name: "Face between the two lines" })).toBeVisible();
    await page.getByLabel("Corner, bottom right").press("ArrowLeft");
  }),
  scripted("documents, several pages", async (page) => {
    await page.goto(upload);
    const names = ["marks-front.jpg", "marks-back.jpg"];
    await expect(page.locator("form.is-live")).toBeVisible();
    const choosing = page.waitForEvent("filechooser");
    await row(page, "Marksheet").locator("label").click();
    await (await choosing).setFiles(names.map(picture));
    await expect(page.getByRole("heading", { name: "2 pages" })).toBeVisible();
    await page.getByLabel("Add a page").setInputFiles(pdf("marks.pdf", 4));
    await expect(page.getByRole("alert")).toContainText("This is a PDF");
  }),
  scripted("documents, stopped without a line", async (page) => {
    await page.goto(upload);
    await page.route("**/upload-doc/files/*", (route) => route.fulfill({ status: 408 }));
    await chooseFile(page, "Last Academic Marksheet", pdf("marksheet-2024.pdf", 1843), true);
    await expect(row(page, "Marksheet")).toContainText("Connection lost at");
    await row(page, "Marksheet").getByRole("button", { name: "Stop" }).click();
    await expect(row(page, "Marksheet")).toContainText("Stopped, but we could not delete");
  }),
  applied("documents, one there", "paid", async (page, _, scripts) => {
    await sends(page, ["Student ID"], scripts);
    await expect(page.getByText("Two documents to go")).toBeVisible();
  }),
  applied("documents, too early", "paid", async (page, _, scripts) => {
    await sends(page, ["Student ID"], scripts, "SUBMIT");
    await expect(page.getByRole("link", { name: "Photo is required" })).toBeVisible();
  }),
  applied("documents, ready", "paid", async (page, _, scripts) => {
    await sends(page, needed, scripts);
    await expect(page.getByRole("heading", { name: "All three are in" })).toBeVisible();
  }),
  applied("documents, done", "paid", async (page, _, scripts) => {
    await sends(page, needed, scripts, "SUBMIT");
    await expect(page.getByRole("heading", { name: "Documents Uploaded successfully!" })).toBeVisible();
  }),
  applied("registration, with documents", "paid", async (page, person, scripts) => {
    await sends(page, ["Passport photo", "Student ID"], scripts);
    await page.goto(`/hiresure/registration/${person.registration}`);
    await expect(page.getByRole("heading", { name: "Uploaded Documents" })).toBeVisible();
  }),
  applied("home, application submitted", "paid", async (page, _, scripts) => {
    await sends(page, needed, scripts, "SUBMIT");
    await expect(page.getByRole("heading", { name: "Documents Uploaded successfully!" })).toBeVisible();
    await page.goto("/hiresure");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("We have your documents, Asha");
  }),
  applied("registration, sent too late", "paid", async (page, person, scripts) => {
    await sends(page, needed, scripts, "SUBMIT");
    await expect(page.getByRole("heading", { name: "Documents Uploaded successfully!" })).toBeVisible();
    await page.goto(`/hiresure/registration/${person.registration}?late`);
    await expect(page.getByText("Nothing was sent again")).toBeVisible();
  }),
  applied("my data, documents", "paid", async (page, _, scripts) => {
    await sends(page, ["Passport photo", "Student ID"], scripts);
    await page.goto("/account/data?at=documents");
    await expect(page.getByRole("link", { name: "Replace or delete a document" })).toBeVisible();
  }),
  applied("my data, documents after a refund", "paid", async (page, person, scripts) => {
    await sends(page, ["Passport photo", "Student ID"], scripts);
    await person.refundAtProvider();
    await page.goto("/account/data?at=documents");
    await page.getByRole("button", { name: "Delete Passport photo" }).click();
    await expect(page.getByText("Passport photo was deleted.")).toBeVisible();
  }),
];
