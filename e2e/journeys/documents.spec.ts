// Documents of a paid application, until submission.
import type { Locator } from "@playwright/test";
import { chooseFile, picture, row } from "../document-states.ts";
import { agreed, pays } from "../fee-states.ts";
import { expect, test } from "../test.ts";

const upload = "/hiresure/upload-doc";

test("four documents complete an application", async ({ page, person, scripts }) => {
  await person.at("signed up");
  await agreed(page, person);
  await pays(person, "paid");
  await page.goto(upload);
  const photo = picture("me.jpg");
  const send = async (label: string, file: typeof photo, press = "Upload") => {
    await chooseFile(page, label, file, scripts);
    if (scripts && file.mimeType === "image/jpeg") await expect(row(page, label)).toContainText("Uploaded");
    if (scripts && press === "SUBMIT")
      await expect(page.getByRole("heading", { name: "All three are in" })).toBeVisible();
    if (!scripts || press !== "Upload") await page.getByRole("button", { name: press, exact: true }).click();
  };

  await send("Passport photo", {
    ...photo,
    name: "me.heic",
    mimeType: "application/octet-stream",
    buffer: Buffer.from("no picture"),
  });
  await expect(page.getByText("Only JPG, JPEG, or PNG files are allowed").first()).toBeVisible();
  await send("Passport photo", photo);
  await expect(row(page, "Passport photo")).toContainText("Uploaded");
  await page.getByRole("button", { name: "SUBMIT", exact: true }).click();
  await expect(page.getByRole("link", { name: "ID Proof is required" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Photo is required" })).toHaveCount(0);
  await send("Student ID", { ...photo, name: "id.jpg" });
  await expect(row(page, "Student ID")).toContainText("Uploaded");
  await send("Family Income Certificate", { ...photo, name: "income.jpg" });
  await expect(row(page, "Income").getByText("Uploaded")).toBeVisible();
  await send("Last Academic Marksheet", { ...photo, name: "marks.jpg" }, "SUBMIT");
  await expect(page.getByRole("heading", { name: "Documents Uploaded successfully!" })).toBeVisible();

  await page.goto("/hiresure/registration");
  await expect(page.getByText("Completed", { exact: true }).first()).toBeVisible();
  await page.goto(upload); // no documents are requested any more
  await expect(page).not.toHaveURL(upload);
});

test("SUBMIT with missing documents opens an error page, and Back returns @once", async ({ page, person, scripts }) => {
  await person.at("signed up");
  await agreed(page, person);
  await pays(person, "paid");
  await page.goto(upload);
  if (scripts) await expect(page.locator("form.is-live")).toBeVisible();
  await page.getByRole("button", { name: "SUBMIT", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Three documents are missing");
  await expect(page.getByRole("link", { name: "Photo is required" })).toBeVisible();
  await page.goto("/hiresure/registration");
  await page.goBack();
  await expect(page.getByRole("button", { name: "SUBMIT", exact: true })).toBeVisible();
});

test("a page left open during SUBMIT says that nothing was sent again @once", async ({
  page,
  person,
  context,
  scripts,
}) => {
  await person.at("signed up");
  await agreed(page, person);
  await pays(person, "paid");
  await page.goto(upload);
  const paper = picture("paper.jpg");
  for (const label of ["Passport photo", "Student ID", "Last Academic Marksheet"]) {
    await chooseFile(page, label, paper, scripts);
    if (scripts) await expect(row(page, label)).toContainText("Uploaded");
  }
  if (!scripts) await page.getByRole("button", { name: "Upload", exact: true }).click();
  await expect(page.getByRole("heading", { name: "All three are in" })).toBeVisible();
  const [deletes, sends] = [await context.newPage(), await context.newPage()];
  for (const older of [deletes, sends]) await older.goto(upload);
  await page.getByRole("button", { name: "SUBMIT", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Documents Uploaded successfully!" })).toBeVisible();

  await deletes.getByRole("button", { name: "Delete Student ID" }).click();
  const large = { ...paper, name: "later.jpg", buffer: Buffer.concat([paper.buffer, Buffer.alloc(8 << 20)]) };
  await chooseFile(sends, "Student ID", scripts ? { ...paper, name: "later.jpg" } : large, scripts);
  if (!scripts) await sends.getByRole("button", { name: "Upload", exact: true }).click();
  for (const older of [deletes, sends]) {
    await expect(older.getByText("You have already submitted your documents.")).toBeVisible();
    await expect(older.getByText("paper.jpg, ")).toHaveCount(3);
  }
});

test("several photos become one document in the chosen order", async ({ page, person, scripts }) => {
  await person.at("signed up");
  await agreed(page, person);
  await pays(person, "paid");
  await page.goto(upload);
  const hint = page.getByText("choose all its photos at once");
  if (!scripts) return void (await expect(hint).toBeHidden());
  await expect(page.locator("form.is-live")).toBeVisible();
  await expect(hint).toBeVisible();
  const jpeg = picture("").buffer.toString("base64");
  const dropped = (names: string[]) =>
    page.evaluateHandle(
      ({ jpeg, names }) => {
        const bytes = Uint8Array.from(atob(jpeg), (letter) => letter.charCodeAt(0));
        const transfer = new DataTransfer();
        for (const name of names) transfer.items.add(new File([bytes], name, { type: "image/jpeg" }));
        return transfer;
      },
      { jpeg, names },
    );
  const drops = async (onto: Locator, ...names: string[]) => {
    const dataTransfer = await dropped(names);
    await onto.dispatchEvent("dragover", { dataTransfer });
    await onto.dispatchEvent("drop", { dataTransfer });
  };
  await drops(row(page, "Marksheet"), "front.jpg", "back.jpg");
  await expect(page.getByRole("heading", { name: "2 pages" })).toBeVisible();
  const stage = page.locator("section.crop");
  await stage.dispatchEvent("dragover", { dataTransfer: await dropped(["stamp.jpg"]) });
  await expect(stage).toHaveClass(/is-over/);
  await drops(stage, "stamp.jpg");
  await expect(page.getByRole("heading", { name: "3 pages" })).toBeVisible();
  await expect(stage).not.toHaveClass(/is-over/);
  await page.getByRole("button", { name: "Earlier page 3" }).press("Enter");
  await expect(stage.locator("ol .meta")).toHaveText(["front.jpg", "stamp.jpg", "back.jpg"]);
  await expect(page.getByRole("button", { name: "Earlier page 2" })).toBeFocused();
  for (const width of [320, 360]) {
    await page.setViewportSize({ width, height: 640 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  await page.getByRole("button", { name: "Use these pages" }).click();
  await expect(row(page, "Marksheet")).toContainText("Uploaded");
  await expect(row(page, "Marksheet")).toContainText("front.pdf");
  await expect(row(page, "Student ID")).not.toContainText("Uploaded");
});
