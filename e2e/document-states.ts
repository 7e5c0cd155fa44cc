// The documents of an application, in every state.
import { expect, type Page } from "@playwright/test";
import { applied } from "./fee-states.ts";
import type { State } from "./states.ts";

const upload = "/hiresure/upload-doc";

/** A picture that a browser makes, as a phone's camera would. */
const picture = async (page: Page, name: string) => ({
  name,
  mimeType: "image/jpeg",
  buffer: await page.screenshot({ type: "jpeg" }),
});

/** Sends pictures for these labels, or what is none. */
const sends = async (page: Page, labels: string[], press = "Upload") => {
  await page.goto(upload);
  for (const label of labels)
    await page.getByLabel(label).setInputFiles(await picture(page, `${label.toLowerCase().replaceAll(" ", "-")}.jpg`));
  await page.getByRole("button", { name: press, exact: true }).click();
};
const needed = ["Passport photo", "Student ID", "Last Academic Marksheet"];

export const documentStates: State[] = [
  applied("documents, none yet", "paid", (page) => page.goto(upload)),
  applied("documents, refused", "paid", async (page) => {
    await page.goto(upload);
    for (const [label, name] of [
      ["Passport photo", "IMG_2041.HEIC"],
      ["Student ID", "student-id.docx"],
    ] as const)
      await page
        .getByLabel(label)
        .setInputFiles({ name, mimeType: "application/octet-stream", buffer: Buffer.from("no picture") });
    await page.getByRole("button", { name: "Upload", exact: true }).click();
    await expect(page.getByRole("heading", { name: "Please look once more" })).toBeVisible();
  }),
  applied("documents, one there", "paid", async (page) => {
    await sends(page, ["Student ID"]);
    await expect(page.getByText("1 of 3")).toBeVisible();
  }),
  applied("documents, too early", "paid", async (page) => {
    await sends(page, ["Student ID"], "SUBMIT");
    await expect(page.getByRole("link", { name: "Photo is required" })).toBeVisible();
  }),
  applied("documents, ready", "paid", async (page) => {
    await sends(page, needed);
    await expect(page.getByText("3 of 3")).toBeVisible();
  }),
  applied("documents, done", "paid", async (page) => {
    await sends(page, needed, "SUBMIT");
    await expect(page.getByRole("heading", { name: "Documents Uploaded successfully!" })).toBeVisible();
  }),
  applied("registration, with documents", "paid", async (page, person) => {
    await sends(page, ["Passport photo", "Student ID"]);
    await page.goto(`/hiresure/registration/${person.registration}`);
    await expect(page.getByRole("heading", { name: "Uploaded Documents" })).toBeVisible();
  }),
];
