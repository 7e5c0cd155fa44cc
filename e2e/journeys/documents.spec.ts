// The documents of an application that is paid, up to its end.
import { chooses, row } from "../document-states.ts";
import { agreed, pays } from "../fee-states.ts";
import { expect, test } from "../test.ts";

const upload = "/hiresure/upload-doc";

test("four documents complete an application", async ({ page, person, scripts }) => {
  await person.at("signed up");
  await agreed(page, person);
  await pays(person, "paid");
  await page.goto(upload);
  const photo = { name: "me.jpg", mimeType: "image/jpeg", buffer: await page.screenshot({ type: "jpeg" }) };
  const send = async (label: string, file: typeof photo, press = "Upload") => {
    await chooses(page, label, file, scripts);
    if (scripts && file.mimeType === "image/jpeg") await expect(row(page, label)).toContainText("Arrived");
    if (scripts && press === "SUBMIT") await expect(page.getByText("3 of 3")).toBeVisible();
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
  await expect(page.getByText("1 of 3")).toBeVisible();
  await page.getByRole("button", { name: "SUBMIT", exact: true }).click();
  await expect(page.getByRole("link", { name: "ID Proof is required" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Photo is required" })).toHaveCount(0);
  await send("Student ID", { ...photo, name: "id.jpg" });
  await expect(page.getByText("2 of 3")).toBeVisible();
  await send("Family Income Certificate", { ...photo, name: "income.jpg" });
  await expect(row(page, "Income").getByText("Arrived")).toBeVisible();
  await send("Last Academic Marksheet", { ...photo, name: "marks.jpg" }, "SUBMIT");
  await expect(page.getByRole("heading", { name: "Documents Uploaded successfully!" })).toBeVisible();

  await page.goto("/hiresure/registration");
  await expect(page.getByText("Completed", { exact: true }).first()).toBeVisible();
  await page.goto(upload); // nothing is asked for any more
  await expect(page).not.toHaveURL(upload);
});
