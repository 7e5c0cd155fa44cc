import { Application } from "../application.ts";
import { become, choosePassword, enterPassword, finishSetUp, invite, totp } from "../staff.ts";
import { expect, test } from "../test.ts";

test("a colleague is invited, sets up two steps, loses the phone, and comes back", async ({ page, person }) => {
  const email = `s${person.phone}@academy.example`;
  const link = await invite(page, "Asha Rao", email, "Support");
  await page.context().clearCookies();
  const secret = await choosePassword(page, link);
  const codes = await page.locator(".tencodes span").allTextContents();
  expect(codes).toHaveLength(10);
  const used = await finishSetUp(page, secret);
  await expect(page.getByRole("heading", { name: "Today so far" })).toBeVisible();
  await page.goto("/admin/menu");
  await page.getByRole("button", { name: "Log out" }).click();

  await enterPassword(page, email);
  const code = page.getByLabel("Code from your authenticator app");
  await code.fill(used);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("This code is wrong or was used before. Wait for the next one")).toBeVisible();
  await code.fill(totp(secret, 1));
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { name: "Today so far" })).toBeVisible();

  await page.context().clearCookies();
  await enterPassword(page, email);
  await code.fill(codes[4]?.toLowerCase() ?? "");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { name: "Today so far" })).toBeVisible();
  await page.goto("/admin/sessions");
  await expect(page.getByRole("heading", { name: "2 open sessions" })).toBeVisible();
  await page.getByRole("button", { name: "End my other sessions" }).click();
  await expect(page.getByRole("heading", { name: "1 open session" })).toBeVisible();
});

test("an admin changes roles and ends an access at once", async ({ page, person, another }) => {
  const email = `s${person.phone}@academy.example`;
  const link = await invite(page, "Asha Rao", email, "Support");
  const { page: hers } = await another();
  await finishSetUp(hers, await choosePassword(hers, link));
  expect((await hers.goto("/admin/log"))?.status()).toBe(403);

  await page.goto("/admin/staff");
  await page.locator("tr", { hasText: email }).getByRole("link", { name: "Asha Rao" }).click();
  await page.getByLabel("Finance").check();
  await page.getByRole("button", { name: "Save roles" }).click();
  await expect(page.getByText("Saved.")).toBeVisible();
  await hers.goto("/admin/menu");
  await expect(hers.getByText("Support, Finance").last()).toBeVisible();
  await page.goto("/admin/log?q=changed+roles");
  await expect(page.locator("tr", { hasText: "Changed roles" }).first()).toContainText("Support → Support, Finance");
  await page.goBack();

  await page.getByRole("button", { name: "End the access of Asha" }).click();
  await expect(page.getByText("Ended").first()).toBeVisible();
  await hers.goto("/admin/log");
  await expect(hers.getByRole("heading", { name: "You were logged out" })).toBeVisible();
});

test("support finds a payer whose bank was late, and the ticket goes out", async ({ page, person, another }) => {
  await person.at("checkout");
  await person.press("late"); // the try fails, and the money comes a few seconds later
  const { page: desk } = await another();
  await become(desk, "Meera Nambiar");
  await desk.goto("/admin/registrations");
  await desk.getByLabel("Search registrations").fill(`0${person.phone.slice(0, 5)} ${person.phone.slice(5)}`);
  await desk.getByRole("button", { name: "Search" }).click();
  await expect(desk.getByRole("heading", { level: 1 })).toContainText("Payment Failed");
  await expect(async () => {
    await desk.getByRole("button", { name: "Ask the gateway now" }).click();
    await expect(desk.getByText("The payment has arrived.")).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await expect(desk.getByRole("heading", { level: 1 })).toContainText("Completed");
  await expect(desk.getByRole("heading", { name: "Enrolled and paid" })).toBeVisible();
  await person.mail("You are enrolled");

  const number = await desk.getByRole("navigation", { name: "Where this is" }).locator("span").last().textContent();
  const notes = desk.getByRole("heading", { name: "Notes" }); // folded on a phone
  await notes.click();
  await desk.getByLabel("Note for colleagues").fill("The bank was late. Called back.");
  await desk.getByRole("button", { name: "Save note" }).click();
  await expect(desk.getByText("The note is saved.")).toBeVisible();
  await desk.goto(`/admin/registrations?q=${number?.toLowerCase()}`);
  await notes.click();
  await expect(desk.getByText("The bank was late. Called back.")).toBeVisible();
  expect((await page.goto("/admin/registrations"))?.status()).toBe(404); // in the payer's own browser
});

test("finance refunds a part of a fee, and a second person approves the rest", async ({ person, another }) => {
  await person.at("paid");
  const { page: desk } = await another();
  await become(desk, "Arvind Kulkarni");
  await desk.goto(`/admin/registrations?q=${person.phone}`);
  await desk.getByText("More actions").click();
  await desk.getByRole("link", { name: "Refund" }).first().click();
  await desk.getByText("A part", { exact: true }).click();
  await desk.getByLabel("Amount in rupees").fill("5,00.00");
  await desk.getByLabel("Reason").selectOption("Agreed in a complaint");
  await desk.getByLabel("What happened").fill("She could not join for two months.");
  await desk.getByRole("button", { name: "Show it for the typed amount" }).click();
  await desk.getByRole("button", { name: "Refund ₹500.00" }).click();
  await expect(desk.getByText("We are sending the refund.")).toBeVisible();
  await person.mail("Refund of a part of your fee sent: ₹500.00");
  await expect(async () => {
    await desk.reload();
    await expect(desk.getByRole("heading", { name: "Enrolled and paid" })).toBeVisible({ timeout: 1_000 });
    await expect(desk.getByText("Refund in part done")).toBeVisible({ timeout: 1_000 });
  }).toPass();

  await desk.getByText("More actions").click();
  await desk.getByRole("link", { name: "Refund" }).first().click();
  await expect(desk.getByText("500.00 refunded so far")).toBeVisible();
  await expect(desk.getByText("This payer got a refund before.")).toBeVisible();
  await desk.getByLabel("Reason").selectOption("We cancelled");
  await desk.getByLabel("What happened").fill("The rest, as promised.");
  await desk.getByRole("button", { name: "Request approval of" }).click();
  await expect(desk.getByText("No money moves before they approve it.")).toBeVisible();
  const name = await desk.getByRole("heading", { level: 1 }).textContent();
  const of = (name ?? "").split("Completed")[0]?.trim() ?? "";
  await desk.goto("/admin/money/approvals");
  await expect(desk.getByRole("row", { name: of }).first()).toBeVisible();

  const { page: second } = await another();
  await become(second, "Kavya Hegde");
  await second.goto("/admin/money/approvals");
  await second.getByRole("article", { name: of }).getByRole("button", { name: "Approve" }).click();
  await expect(second.getByText("Approved. We are sending the refund.")).toBeVisible();
  await person.mail("Refund of your fee sent");
  await expect(async () => {
    await desk.goto(`/admin/registrations?q=${person.phone}`);
    await expect(desk.getByRole("heading", { level: 1 })).toContainText("Refunded", { timeout: 1_000 });
  }).toPass();
});

test("support looks at the applicant's pages and changes nothing, and the applicant reads of it", async ({
  page,
  person,
  another,
}) => {
  await person.at("signed up");
  await new Application(page, person).saved(2);
  const { page: desk } = await another();
  await become(desk, "Meera Nambiar");
  await desk.goto(`/admin/registrations?q=${person.phone}`);
  await desk.getByText("More actions").click();
  await desk.getByRole("link", { name: "View as applicant" }).click();
  await desk.getByLabel("What is it for?").selectOption("Help with the form");
  await desk.getByLabel("What do you look for?").fill("cannot go on at step 2");
  await desk.getByRole("button", { name: "View for 15 minutes" }).click();
  await expect(desk.getByText("You are viewing as")).toBeVisible();

  const shown = desk.frameLocator("iframe");
  await shown.getByRole("link", { name: "Complete Form" }).first().click();
  await expect(shown.getByRole("heading", { name: "Scholarship" }).first()).toBeVisible();
  await expect(shown.locator("form :is(input, button, select, textarea):not([disabled]):visible")).toHaveCount(0);
  expect(await shown.locator("script").count()).toBe(0);
  const framed = () => new URL(desk.frames()[1]?.url() ?? "about:blank").pathname;
  await expect.poll(framed).toContain("/page/hiresure/form/");
  const inside = framed();
  await desk.goto(inside); // opened alone, it leads back below the strip
  await expect(desk.getByText("You are viewing as")).toBeVisible();
  await desk.getByRole("button", { name: "End now" }).click();
  await expect(desk.getByText("The view has ended.")).toBeVisible();

  await page.goto("/account/data");
  await expect(page.getByText("Help with the form")).toBeVisible();
  await expect(page.getByText("Our staff, Support")).toBeVisible();
  expect(await page.content()).not.toContain("Meera");
});

test("support moves an exam, and only the new ticket is valid", async ({ page, person, another }) => {
  await person.at("paid");
  const old = (await person.mail("You are enrolled")).body.match(/\/ticket\/[\w-]+/)?.[0] ?? "";
  const { page: desk } = await another();
  await become(desk, "Meera Nambiar");
  await desk.goto(`/admin/registrations?q=${person.phone}`);
  await desk.getByText("More actions").click();
  await desk.getByRole("link", { name: "Move to another exam" }).click();
  await desk.getByLabel("Reason").selectOption("Asked for this exam");
  await desk.getByRole("button", { name: "Move to 28 March" }).click();
  await expect(desk.getByText("The exam is moved. E-mail and SMS go out now.")).toBeVisible();
  await expect(desk.getByText("The exam is on 28 Mar 2027.")).toBeVisible();

  const mail = await person.mail("Your exam is now on");
  await page.goto(mail.body.match(/\/ticket\/[\w-]+/)?.[0] ?? "/no-ticket");
  await expect(page.getByText("HireSure Campus Scholarship").first()).toBeVisible();
  expect((await page.goto(old))?.status()).toBe(404);
});

test("support corrects a mistyped e-mail, and the receipt arrives", async ({ page, person, another }) => {
  await person.at("paid");
  await person.mail("You are enrolled");
  const { page: desk } = await another();
  await become(desk, "Meera Nambiar");
  await desk.goto(`/admin/registrations?q=${person.phone}`);
  await desk.getByText("More actions").click();
  await desk.getByRole("link", { name: "Correct e-mail" }).click();
  await expect(desk.getByRole("heading", { level: 1 })).toHaveText(`Correct the e-mail of ${person.name}`);
  await desk.getByLabel("New e-mail").fill("asha@gmial.com");
  await desk.getByRole("button", { name: "Send the link" }).click();
  await expect(desk.getByText("Did you mean gmail.com?")).toBeVisible();
  const right = `asha.right.${person.phone}@example.com`;
  await desk.getByLabel("New e-mail").fill(right);
  await desk.getByLabel("How did you confirm who they are?").selectOption({ label: "Wrote from the old address" });
  await desk.getByRole("button", { name: "Send the link" }).click();
  await expect(desk.getByText("We are sending the link.")).toBeVisible();
  const told = await person.mail("We were asked to use another e-mail");
  expect(told.body).not.toContain(right);

  person.email = right;
  const { body } = await person.mail("Confirm your e-mail for HireSure");
  expect(body).not.toContain(person.name);
  const path = /\/confirm\/[\w-]+/.exec(body)?.[0] ?? "";
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Is this your e-mail?");
  await page.getByRole("button", { name: "Confirm my e-mail" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your e-mail is confirmed");
  await person.mail("You are enrolled"); // at the new address
  await desk.goto(`/admin/registrations?q=${right}`);
  await expect(desk.getByText("E-mail corrected")).toBeVisible();
  await expect(desk.getByRole("heading", { name: "Enrolled and paid" })).toBeVisible();
});

test("support saves a view, selects people across pages, and exports them", async ({
  person,
  another,
  scripts,
  faults,
}) => {
  await person.at("paid");
  const { page: desk } = await another();
  await become(desk, "Meera Nambiar");
  const name = `Paid ${person.phone}`;
  await desk.goto("/admin/registrations?event=KS_Mgrow&payment=paid");
  await desk.getByRole("link", { name: "Save this view" }).click();
  await desk.getByLabel("Name").fill(name);
  await desk.getByRole("button", { name: "Save view" }).click();
  await desk.goto("/admin/registrations");
  await desk.locator(".views summary").click();
  await desk.getByRole("link", { name }).click();
  await expect(desk.locator(".views summary")).toContainText(name);

  const search = desk.getByLabel("Search registrations");
  const bar = desk.getByRole("group", { name: "With the selected" });
  if (scripts) {
    await search.pressSequentially(person.phone, { delay: 20 });
    await expect(desk.getByText("1 registration matches.").first()).toBeVisible(); // no jump while one types
    await expect(desk).toHaveURL(new RegExp(`q=${person.phone}`));
    await search.blur();
    await desk.keyboard.press("j");
    await desk.keyboard.press("x");
  } else {
    await search.fill(person.phone);
    await desk.getByRole("button", { name: "Search" }).click();
    await desk.locator("tbody").getByRole("checkbox").check();
  }
  await expect(bar).toBeVisible();
  await bar.getByRole("button", { name: "Export" }).click();
  await expect(desk.getByRole("heading", { name: "Export 1 registration" })).toBeVisible();
  await desk.getByLabel("What is the file for?").fill("A call back");
  const file = desk.waitForEvent("download");
  await desk.getByRole("button", { name: "Download CSV" }).click();
  expect((await file).suggestedFilename()).toMatch(/^registrations-.*\.csv$/);
  await desk.getByRole("button", { name: "Back to the list" }).click();
  await expect(bar).toBeVisible(); // still selected

  if (scripts) {
    faults.allow(/Failed to|htmx/);
    await desk.route("**/admin/registrations?q=*", (route) => route.abort());
    await search.fill("fernandes");
    await expect(desk.getByRole("alert")).toContainText("The list did not load");
    await desk.unrouteAll();
    await desk.getByRole("link", { name: "Try again" }).click();
    await expect(desk).toHaveURL(/q=fernandes/);
  }
  await desk.goto("/admin/registrations/views");
  await desk.getByRole("button", { name: `Remove ${name}` }).click();
  await expect(desk.getByText("The view is removed. No registration was changed.")).toBeVisible();
});
