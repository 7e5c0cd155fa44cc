// The states of the staff area.
import { expect, type Page } from "@playwright/test";
import { applied } from "./fee-states.ts";
import type { Person } from "./person.ts";
import { become, choosePassword, enterPassword, finishSetUp, invite } from "./staff.ts";
import type { State } from "./states.ts";

const state = (name: string, act: (page: Page, email: string) => Promise<unknown>): State => ({
  name: `staff, ${name}`,
  open: ({ page, person }) => act(page, `s${person.phone}@academy.example`),
});
const admin = (name: string, path: string, heading: string) =>
  state(name, async (page) => {
    await become(page, "Kavya Hegde");
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toContainText(heading);
  });
/** Opens the page of the registration of the visitor, at a step, as a colleague. */
const registration = (name: string, who: string, step: Parameters<Person["at"]>[0], heading: string): State => ({
  name: `staff, registration, ${name}`,
  open: async ({ page, person }) => {
    await person.at(step);
    await become(page, who);
    await page.goto(`/admin/registrations?q=${person.phone}`);
    await expect(page.getByRole("heading", { name: heading })).toBeVisible();
  },
});
/** Opens the dialog of an action on the registration of the visitor, who has paid. */
const openAction = async (page: Page, person: Person, action: string) => {
  await person.at("paid");
  await become(page, "Meera Nambiar");
  await page.goto(`/admin/registrations?q=${person.phone}`);
  await page.getByText("More actions").click();
  await page.getByRole("link", { name: action }).click();
};
/** Opens a page of one action on the registration of a visitor who has paid, and does something there. */
const dialog = (name: string, path: string, act: (page: Page, person: Person) => Promise<unknown>): State => ({
  name: `staff, ${name}`,
  open: async ({ page, person }) => {
    await person.at("paid");
    await become(page, "Meera Nambiar");
    await page.goto(`/admin/registrations?q=${person.phone}`);
    await page.goto(`${new URL(page.url()).pathname}/${path}`);
    await act(page, person);
  },
});
const requestEmail = async (page: Page, person: Person) => {
  await page.getByLabel("New e-mail").fill(`new.${person.phone}@example.com`);
  await page.getByLabel("How did you confirm who they are?").selectOption("called");
  await page.getByRole("button", { name: "Send the link" }).click();
  await expect(page.getByText("We are sending the link.")).toBeVisible();
};
/** Opens the link that was sent to confirm another e-mail. */
const confirmation = (name: string, act: (page: Page, path: string) => Promise<unknown>): State =>
  dialog(`confirm an e-mail, ${name}`, "email", async (page, person) => {
    await requestEmail(page, person);
    person.email = `new.${person.phone}@example.com`;
    const { body } = await person.mail("Confirm your e-mail for HireSure");
    const path = /\/confirm\/[\w-]+/.exec(body)?.[0] ?? "";
    await act(page, path);
  });
const welcomed = async (page: Page, email: string) => {
  const link = await invite(page, "Asha Rao", email, "Support");
  await page.context().clearCookies();
  return link;
};

export const staffStates: State[] = [
  state("who to be", (page) => page.goto("/admin/sign-in")),
  state("sign-in", (page) => page.goto("/admin/sign-in?real=yes")),
  state("sign-in, wrong", async (page, email) => {
    await enterPassword(page, email, "wrong");
    await expect(page.getByRole("alert")).toHaveText("The e-mail or the password is wrong");
  }),
  state("welcome", async (page, email) => page.goto(await welcomed(page, email))),
  state("welcome, easy password", async (page, email) => {
    await page.goto(await welcomed(page, email));
    await page.getByLabel("Choose a password").fill("passwordpassword");
    await page.getByRole("button", { name: "Set password, then add an app" }).click();
    await expect(page.getByText("This password is easy to guess.")).toBeVisible();
  }),
  state("welcome, used", async (page, email) => {
    const link = await welcomed(page, email);
    await choosePassword(page, link);
    await page.goto(link);
  }),
  state("second step, set up", async (page, email) => choosePassword(page, await welcomed(page, email))),
  state("second step, wrong code", async (page, email) => {
    await choosePassword(page, await welcomed(page, email));
    await page.getByLabel("Enter the 6 digits it shows").fill("000000");
    await page.getByLabel("I have saved them").check();
    await page.getByRole("button", { name: "Turn on and continue" }).click();
    await expect(page.getByText("This is not the code that the app shows now.")).toBeVisible();
  }),
  state("code", async (page, email) => {
    await finishSetUp(page, await choosePassword(page, await welcomed(page, email)));
    await page.context().clearCookies();
    await enterPassword(page, email);
  }),
  state("code, wrong", async (page, email) => {
    await finishSetUp(page, await choosePassword(page, await welcomed(page, email)));
    await page.context().clearCookies();
    await enterPassword(page, email);
    await page.getByLabel("Code from your authenticator app").fill("000000");
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(page.getByText("This code is wrong or was used before.")).toBeVisible();
  }),
  admin("today", "/admin", ""),
  {
    name: "staff, registrations",
    open: async ({ page, person }) => {
      await person.at("paid");
      await become(page, "Kavya Hegde");
      await page.goto("/admin/registrations?event=KS_Mgrow&filters=open");
      await expect(page.getByRole("link", { name: "Remove Event HireSure mGrow Scholarship" })).toBeVisible();
      await expect(page.getByRole("table")).toBeVisible();
    },
  },
  admin("registrations, nobody", "/admin/registrations?q=nobody+of+this+name&event=KS_Mgrow", "Registrations"),
  {
    name: "staff, registrations, selected",
    open: async ({ page, person }) => {
      await person.at("paid");
      await become(page, "Kavya Hegde");
      await page.goto("/admin/registrations?event=KS_Mgrow");
      await page.locator("tbody").getByRole("checkbox").first().check();
      await expect(page.getByRole("group", { name: "With the selected" })).toBeVisible();
    },
  },
  {
    name: "staff, registrations, export of the selected",
    open: async ({ page, person }) => {
      await person.at("paid");
      await become(page, "Kavya Hegde");
      await page.goto("/admin/registrations?event=KS_Mgrow");
      await page.locator("tbody").getByRole("checkbox").first().check();
      await page.getByRole("group", { name: "With the selected" }).getByRole("button", { name: "Export" }).click();
      await page.getByRole("button", { name: "Download CSV" }).click();
      await expect(page.getByText("Write what the file is for")).toBeVisible();
    },
  },
  state("registrations, view without a name", async (page) => {
    await become(page, "Kavya Hegde");
    await page.goto("/admin/registrations/views/new?payment=waiting");
    await page.getByRole("button", { name: "Save view" }).click();
    await expect(page.getByText("Write a name for this view")).toBeVisible();
  }),
  admin("views", "/admin/registrations/views", "Rename or remove views"),
  {
    name: "staff, registrations, loading",
    needs: "scripts",
    open: async ({ page, person }) => {
      await person.at("paid");
      await become(page, "Kavya Hegde");
      await page.goto("/admin/registrations?rows=25");
      await page.route("**/admin/registrations?q=*", () => undefined); // never answers
      await page.getByLabel("Search registrations").fill("fernandes");
      await expect(page.getByText("Looking for “fernandes”.")).toBeVisible();
    },
  },
  admin("keys", "/admin/keys", "Keyboard shortcuts"),
  {
    name: "staff, registrations, export without a reason",
    open: async ({ page, person }) => {
      await person.at("paid");
      await become(page, "Kavya Hegde");
      await page.goto("/admin/registrations?event=KS_Mgrow");
      await page.locator("summary", { hasText: "Export" }).click();
      await page.getByRole("button", { name: "CSV" }).click();
      await expect(page.getByText("Write what the file is for")).toBeVisible();
    },
  },
  registration("enrolled", "Kavya Hegde", "paid", "Enrolled and paid"),
  registration("not paid", "Farida Merchant", "enrolled", "The fee is not paid yet"),
  {
    name: "staff, view as the applicant, begin",
    open: async ({ page, person }) => {
      await openAction(page, person, "View as applicant");
      await page.getByLabel("What do you look for?").fill("cannot find the ticket");
      await page.getByLabel("What is it for?").evaluate((select) => select.removeAttribute("required"));
      await page.getByRole("button", { name: "View for 15 minutes" }).click();
      await expect(page.getByText("Choose what it is for")).toBeVisible();
    },
  },
  {
    name: "staff, view as the applicant",
    open: async ({ page, person }) => {
      await openAction(page, person, "View as applicant");
      await page.getByLabel("What is it for?").selectOption("Help with documents");
      await page.getByLabel("What do you look for?").fill("cannot find the ticket");
      await page.getByRole("button", { name: "View for 15 minutes" }).click();
      await expect(page.getByText("You are viewing as")).toBeVisible();
      await expect(page.frameLocator("iframe").getByRole("heading", { level: 1 })).toBeVisible();
    },
  },
  {
    name: "staff, move to another exam",
    open: async ({ page, person }) => {
      await openAction(page, person, "Move to another exam");
      await expect(page.getByRole("heading", { name: "What changes" })).toBeVisible();
    },
  },
  {
    name: "staff, moved to another exam",
    open: async ({ page, person }) => {
      await openAction(page, person, "Move to another exam");
      await page.getByLabel("Reason").selectOption("Asked for this exam");
      await page.getByRole("button", { name: /^Move to / }).click();
      await expect(page.getByText("The exam is moved.")).toBeVisible();
    },
  },
  registration("in review", "Arvind Kulkarni", "checked", "A payment needs a decision"),
  dialog("correct an e-mail, wrong", "email", async (page) => {
    await page.getByLabel("New e-mail").fill("asha@gmial.com");
    await page.getByRole("button", { name: "Send the link" }).click();
    await expect(page.getByText("Did you mean gmail.com?")).toBeVisible();
  }),
  dialog("correct an e-mail, waiting", "email", async (page, person) => {
    await requestEmail(page, person);
    await page.locator("details:has(#s-details)").evaluate((fold) => fold.setAttribute("open", "")); // folded on a phone
  }),
  dialog("correct a phone", "phone", (page) =>
    expect(page.getByRole("heading", { level: 1 })).toContainText("Correct the phone of"),
  ),
  dialog("correct a name, out of date", "name", async (page) => {
    const rename = async (tab: Page, name: string) => {
      await tab.getByLabel("New name").fill(name);
      await tab.getByLabel("How did you confirm who they are?").selectOption("id");
      await tab.getByRole("button", { name: "Save the name" }).click();
    };
    const other = await page.context().newPage();
    await other.goto(page.url());
    await rename(other, "Asha K. Verma");
    await expect(other.getByText("The name is corrected.")).toBeVisible();
    await other.close();
    await rename(page, "Asha Varma");
    await expect(page.getByRole("heading", { name: "Two people changed these details" })).toBeVisible();
  }),
  confirmation("waiting", async (page, path) => {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Is this your e-mail?");
  }),
  confirmation("done", async (page, path) => {
    await page.goto(path);
    await page.getByRole("button", { name: "Confirm my e-mail" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your e-mail is confirmed");
  }),
  admin("confirm, unknown link", "/confirm/nothing", "This link no longer works"),
  applied("staff, reopen a step", "agreed", async (page, person) => {
    await become(page, "Meera Nambiar");
    await page.goto(`/admin/registrations?q=${person.phone}`);
    await page.goto(`${new URL(page.url()).pathname}/reopen`);
    await expect(page.getByRole("heading", { level: 1 })).toContainText("Reopen a step for");
  }),
  {
    name: "staff, refund, more than is left",
    open: async ({ page, person }) => {
      await person.at("paid");
      await become(page, "Arvind Kulkarni");
      await page.goto(`/admin/registrations?q=${person.phone}`);
      await page.goto(`${page.url()}/refund`);
      await page.getByText("A part", { exact: true }).click();
      await page.getByLabel("Amount in rupees").fill("1,00,000");
      await page.getByRole("button", { name: "Show it for the typed amount" }).click();
      await expect(page.getByText("can be refunded.")).toBeVisible();
    },
  },
  {
    name: "staff, approvals",
    open: async ({ page, person }) => {
      await person.at("paid");
      await become(page, "Arvind Kulkarni");
      await page.goto(`/admin/registrations?q=${person.phone}`);
      await page.goto(`${page.url()}/refund`);
      await page.getByLabel("Reason").selectOption("We cancelled");
      await page.getByLabel("What happened").fill("Asked by e-mail.");
      await page.getByRole("button", { name: "Request approval of" }).click();
      await expect(page.getByRole("heading", { name: "waits for approval" })).toBeVisible();
      await page.context().clearCookies();
      await become(page, "Kavya Hegde");
      await page.goto("/admin/money/approvals");
      await expect(page.getByRole("button", { name: "Approve" }).first()).toBeVisible();
    },
  },
  {
    name: "staff, register",
    open: async ({ page, person }) => {
      await person.at("paid");
      await become(page, "Arvind Kulkarni");
      await page.goto("/admin/print/register");
      await expect(page.getByRole("heading", { name: "Tax by rate and State" })).toBeVisible();
    },
  },
  {
    name: "staff, print",
    open: async ({ page, person }) => {
      await person.at("paid");
      await become(page, "Arvind Kulkarni");
      await page.goto("/admin/print?kind=invoice&order=number&list=yes");
      await expect(page.getByRole("button", { name: "Create PDF" })).toBeVisible();
      await expect(page.getByRole("heading", { name: "What it will print" })).toBeVisible();
    },
  },
  admin("print, wrong numbers", "/admin/print?kind=invoice&first=abc", "Print"),
  admin("register, empty", "/admin/print/register?from=2000-01-01&to=2000-01-02", "Invoice register"),
  admin("log", "/admin/log", "Log"),
  admin("log, nothing found", "/admin/log?q=nothing+like+this", "Log"),
  admin("people", "/admin/staff", "Staff and roles"),
  admin("sessions", "/admin/sessions", "open session"),
  admin("passkeys", "/admin/passkeys", "No passkey yet"),
  admin("menu", "/admin/menu", "Menu"),
  admin("not found", "/admin/nothing", "Page not found"),
  admin("invitation", "/admin/staff/new", "Invite a colleague"),
  state("invitation, refused", async (page) => {
    await become(page, "Kavya Hegde");
    await page.goto("/admin/staff/new");
    await page.getByLabel("Name", { exact: true }).fill("Asha Rao");
    await page.getByLabel("E-mail").fill("asha@localhost");
    await page.getByRole("button", { name: "Invite" }).click();
    await expect(page.getByText("Enter an e-mail address, like kavya@academy.in")).toBeVisible();
  }),
  state("link", (page, email) => invite(page, "Asha Rao", email, "Support")),
  state("colleague", async (page, email) => {
    await invite(page, "Asha Rao", email, "Support");
    await page.goto("/admin/staff");
    await page.locator("tr", { hasText: email }).getByRole("link", { name: "Asha Rao" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toContainText("Asha Rao");
  }),
  state("denied", async (page) => {
    await become(page, "Meera Nambiar");
    await page.goto("/admin/log");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your role does not open this page");
  }),
  state("own sessions", async (page) => {
    await become(page, "Meera Nambiar");
    await page.goto("/admin/sessions");
  }),
];
