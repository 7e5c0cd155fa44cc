import { type Enrolment, landing, mobile } from "../enrolment.ts";
import { answer, expectOutcome, payButton } from "../outcomes.ts";
import type { Person } from "../person.ts";
import { expect, test } from "../test.ts";

test("enrolment with a coupon is paid, and the mail opens receipt and invoice", async ({
  page,
  person,
  enrolment,
  another,
}) => {
  await enrolment.open();
  await enrolment.provePhone();
  await enrolment.choose();
  await enrolment.applyCoupon("mgrow500");
  await expect(enrolment.form.getByRole("status")).toHaveText("Coupon applied: ₹500 off. You pay ₹999.");
  await expect(enrolment.price).toContainText("₹999");
  await expect(enrolment.price.locator("s")).toContainText("₹1,499");
  await enrolment.proceedToPay();
  await answer(page, payButton);
  await expectOutcome(page, "paid");
  const mail = await person.mail("You are enrolled: ");
  expect(mail.to).toBe(person.email);
  expect(mail.body).toContain("We received ₹999.00");
  expect((await person.mails()).map(({ channel }) => channel).sort()).toEqual(["email", "sms"]);

  const reader = await another(); // opens the mail in another browser
  const [receipt = "", invoice = ""] = mail.body.match(/http\S+\/(?:receipt|invoice)\/\S+/g) ?? [];
  await reader.page.goto(receipt);
  await expect(reader.page.getByRole("heading", { level: 1, name: "Receipt" })).toBeAttached();
  await expect(reader.page.getByRole("main")).toContainText("₹999.00");
  await reader.page.goto(invoice);
  await expect(reader.page.getByRole("main")).toContainText("Tax invoice");
  await expect(reader.page.getByRole("main")).toContainText("29ABCDE1234F1ZW");
  await expect(reader.page.getByRole("main")).toContainText("IGST"); // buyer in Maharashtra, supplier in Karnataka
});

test("PROCEED TO PAY pressed early lists what comes before it, input stays, nothing is stored @once", async ({
  page,
  person,
  enrolment,
  scripts,
}) => {
  await enrolment.open();
  await enrolment.proceedToPay();
  await expect(enrolment.toDo).toBeFocused();
  await expect(enrolment.toDo).toBeInViewport();
  await expect(enrolment.toDo.getByRole("heading")).toHaveText("4 steps before you pay");
  await expect(enrolment.toDo.getByRole("link", { name: "Start with your name" })).toBeVisible();
  await expect(enrolment.toDo.getByRole("link")).toHaveCount(scripts ? 1 : 4);
  await expect(enrolment.form.locator("[aria-invalid], .is-faulty")).toHaveCount(0);
  await expect(enrolment.price).toContainText("4 steps first, then you pay.");
  if (scripts) await expect(enrolment.field("Coupon code")).toBeHidden();

  const wrong = "Name must be 2-50 characters and contain only letters. Please take out “5”.";
  await enrolment.field("Full name").fill("A5");
  await enrolment.field("E-mail").fill("asha@example");
  await enrolment.proceedToPay();
  await expect(enrolment.toDo).toBeFocused();
  await expect(enrolment.toDo.getByRole("listitem").first()).toHaveText(`You ${wrong}`);
  await enrolment.expectError(enrolment.field("Full name"), wrong);
  await enrolment.expectError(enrolment.field("E-mail"), "Enter a valid email address.");
  await expect(enrolment.field("E-mail")).toHaveValue("asha@example");
  await expect(enrolment.form.locator("[aria-invalid]")).toHaveCount(2); // only what was typed
  await enrolment.toDo.getByRole("link").first().click();
  await expect(enrolment.field("Full name")).toBeFocused();
  if (scripts) {
    await enrolment.field("Full name").fill(person.name);
    await enrolment.field("E-mail").fill(person.email);
    await expect(enrolment.toDo.getByRole("heading")).toHaveText("3 steps before you pay");
  }
  await expect(page).toHaveURL(/\/scholarship\//);
  expect(await person.mails()).toEqual([]);
  await page.goto("/pay"); // no registration was created
  await expect(page).toHaveURL("/account/sign-in?next=%2Fpay");
});

test("a failed payment is retried and paid @once", async ({ page, person, enrolment }) => {
  await enrolment.open();
  await enrolment.complete();
  await answer(page, "Fail");
  await expectOutcome(page, "failed");
  expect((await person.mails()).map(({ channel }) => channel)).toEqual(["sms"]);
  await page.getByRole("button", { name: "Try again" }).click();
  await answer(page, payButton);
  await expectOutcome(page, "paid");
  expect((await person.mail("You are enrolled: ")).body).toContain("₹1,499.00");
});

test("a pending payment is continued and paid @long", async ({ page, person, enrolment }) => {
  await enrolment.open();
  await enrolment.complete("HALFPRICE");
  await answer(page, "Leave pending");
  await expectOutcome(page, "pending");
  await expect(page.getByRole("main")).not.toContainText("Pay ₹"); // a pending page does not invite to pay again
  await page.goto("/pay");
  await expect(page.getByText("Your payment is still open")).toBeVisible();
  await page.getByRole("button", { name: "Continue to pay" }).click();
  await answer(page, payButton);
  await expectOutcome(page, "paid");
  expect((await person.mail("You are enrolled: ")).body).toContain("₹749.50");
});

test("a coupon used up between Apply and payment restores the full price @once", async ({
  page,
  enrolment,
  another,
}) => {
  const faster = await another();
  await enrolment.open();
  await enrolment.provePhone();
  await enrolment.choose();
  await enrolment.applyCoupon("LASTSEAT");
  await expect(enrolment.price).toContainText("₹999");
  await faster.person.at("paid", "LASTSEAT");
  await enrolment.proceedToPay();
  await expect(enrolment.summary).toContainText("This coupon has just been used up.");
  await enrolment.expectError(enrolment.field("Coupon code"), "This coupon has just been used up.");
  await expect(enrolment.price).toContainText("₹1,499");
  await expect(enrolment.price.locator("s")).toHaveCount(0);
  await expect(page).toHaveURL(/\/scholarship\//);
  await enrolment.field("Coupon code").fill("");
  await enrolment.proceedToPay();
  await expect(page).toHaveURL(/\/checkout\//);
  await expect(page.getByRole("main")).toContainText("₹1,499");
});

test("a payment of a wrong amount does not count as paid @long", async ({ page, person, enrolment }) => {
  await enrolment.open();
  await enrolment.complete();
  await answer(page, "Charge one paisa less");
  await expectOutcome(page, "checked");
  await page.reload();
  await expectOutcome(page, "checked");
  await person.mail("Do not pay again: we are checking ");
  expect((await person.mails()).map(({ channel }) => channel).sort()).toEqual(["email", "sms"]); // no receipt
});

test("a coupon for the whole fee enrols without a gateway @once", async ({ page, person, enrolment }) => {
  await enrolment.open();
  await enrolment.complete("FULLSEAT");
  await expectOutcome(page, "paid");
  await expect(page).toHaveURL(/\/success\?kspay_id=/);
  const mail = await person.mail("You are enrolled: ");
  expect(mail.body).toContain("there is nothing to pay");
  expect(mail.body).not.toContain("/invoice/");
});

test("a friend's referral code is accepted, an unknown one rejected @long", async ({ page, enrolment }) => {
  await enrolment.open();
  await enrolment.provePhone();
  await enrolment.choose();
  await enrolment.to("course");
  await enrolment.unfold("College or referral code");
  await enrolment.optional("Referral code").fill("NOBODY");
  await enrolment.proceedToPay();
  const message = "Invalid referral code. Please check and try again.";
  await expect(enrolment.summary).toContainText(message);
  await enrolment.expectError(enrolment.optional("Referral code"), message);
  await enrolment.optional("Referral code").fill("SETU2025");
  await enrolment.proceedToPay();
  await expect(page).toHaveURL(/\/checkout\//);
});

test("a friend enrols with a payer's referral code @once", async ({ page, person, another }) => {
  await person.at("paid");
  await page.goto(`/success?kspay_id=${person.payment}`);
  const aside = page.getByRole("complementary", { name: "Your referral code" });
  await expect(aside).toContainText("₹200 for you when a friend enrols");
  const code = (await aside.locator("strong").textContent()) ?? "";
  expect(code).toMatch(/^[0-9A-Z]{10}$/);
  const friend = await another();
  await friend.enrolment.open(`${landing}?referralCode=${code}`);
  await friend.enrolment.provePhone();
  await friend.enrolment.choose();
  await friend.enrolment.proceedToPay();
  await expect(friend.page).toHaveURL(/\/checkout\//);
  await friend.page.getByRole("button", { name: payButton }).click();
  await expectOutcome(friend.page, "paid");
  expect((await person.mail("You are enrolled: ")).body).toContain(`share your code ${code}.`);
});

test("a coupon in the address lowers the price from the first paint @once", async ({ page, enrolment, scripts }) => {
  await page.goto(`${landing}?couponCode=mgrow500`);
  const shown = async () => {
    await expect(page.locator(".hero-facts")).toContainText("Exam fee with MGROW500Before: ₹1,499 ₹999");
    await expect(page.locator(".ticket-stub")).toContainText("₹999");
    await expect(page.locator(".sticky-bar [data-price]")).toHaveText("₹999");
    await expect(page.locator(".rank-table tbody")).toHaveText(/₹999.*₹4,50,999/);
  };
  await shown();
  await enrolment.open(`${landing}?couponCode=mgrow500`); // touches the form
  await shown();
  if (scripts) await expect(page.locator("#rank output strong")).toHaveText("₹4,50,999"); // for the first rank without a scholarship
  await enrolment.provePhone();
  await enrolment.choose();
  await enrolment.proceedToPay();
  await expect(page).toHaveURL(/\/checkout\//);
  await expect(page.getByRole("main")).toContainText("₹999");
});

test("a course in the address is chosen @once", async ({ page, enrolment }) => {
  await enrolment.open(`${landing}?course=Artificial_Intelligence`);
  await expect(enrolment.form).toContainText("Artificial Intelligence");
  await enrolment.provePhone();
  await expect(enrolment.field("Course")).toHaveValue("Artificial_Intelligence");
  await page.goto(`${landing}?course=Alchemy`);
  await expect(page.getByRole("form", { name: "Enrolment" })).toBeVisible();
});

test("a rejected coupon changes nothing, an applied one can be removed @once", async ({ page, enrolment }) => {
  await enrolment.open();
  await enrolment.provePhone();
  await enrolment.choose();
  await enrolment.applyCoupon("NOSUCH");
  await enrolment.expectError(enrolment.field("Coupon code"), "Invalid coupon code. Please check and try again.");
  await expect(enrolment.price).toContainText("₹1,499");
  const pay = enrolment.form.getByRole("button", { name: "PROCEED TO PAY" });
  await expect(pay).toBeVisible();
  await enrolment.press("Go on without a code, ₹1,499");
  await expect(pay).toBeFocused();
  await enrolment.applyCoupon("HALFPRICE");
  await expect(enrolment.price).toContainText("₹749.50");
  await enrolment.press("Remove coupon HALFPRICE");
  await expect(enrolment.field("Coupon code")).toHaveValue("");
  await expect(enrolment.price).toContainText("₹1,499");
  await expect(enrolment.price.locator("s")).toHaveCount(0);
  await enrolment.proceedToPay();
  await expect(page.getByRole("main")).toContainText("₹1,499");
  await expect(page).toHaveURL(/\/checkout\//);
});

test("a wrong code is rejected, the right one verifies @once", async ({ person, enrolment }) => {
  await enrolment.open();
  await enrolment.giveDetails();
  await enrolment.sendCode();
  await expect(enrolment.form).toContainText(`Code sent to ${mobile(person.phone)}.`);
  await enrolment.giveCode(await person.wrongCode());
  await enrolment.expectError(enrolment.field("OTP"), "Invalid OTP");
  const code = await person.code();
  await enrolment.giveCode(`${code.slice(0, 3)} ${code.slice(3)}`); // as copied from an SMS
  await enrolment.expectVerified();
  await expect(enrolment.field("OTP")).toHaveCount(0);
});

test("a code can be requested again only after a wait", async ({ person, enrolment, scripts }) => {
  await enrolment.open();
  await enrolment.giveDetails();
  await enrolment.sendCode();
  await person.code();
  await enrolment.press("Resend");
  if (scripts) await expect(enrolment.form).toContainText(/You can ask for the code again in [0-9]+ s\./);
  else
    await expect(enrolment.form).toContainText(
      /A code went to this number a moment ago\. Please wait [0-9]+ seconds? and try again\./,
    );
  expect(await person.mails()).toHaveLength(1);
});

test("a code requested again after a minute is the same @long", async ({ person, enrolment }) => {
  test.setTimeout(120_000);
  await enrolment.open();
  await enrolment.giveDetails();
  await enrolment.sendCode();
  const code = await person.code();
  await expect(async () => {
    await enrolment.press("Resend");
    await expect(enrolment.form).toContainText(`Code sent again to ${mobile(person.phone)}.`, { timeout: 1000 });
  }).toPass({ intervals: [5000], timeout: 90_000 });
  await expect.poll(async () => (await person.mails()).length).toBe(2);
  expect(await person.code()).toBe(code);
});

test("a changed number must be verified again @once", async ({ person, enrolment }) => {
  await enrolment.open();
  await enrolment.provePhone();
  await enrolment.choose();
  await enrolment.to("phone");
  await enrolment.field("Mobile number").fill(person.guardian);
  await enrolment.proceedToPay();
  await expect(enrolment.toDo.getByRole("listitem")).toHaveText("Phone Send a code to this number.");
  await expect(enrolment.at("phone_number")).not.toContainText("Verified");
});

test("a guardian consents for a minor", async ({ page, person, enrolment }) => {
  await enrolment.open();
  await enrolment.provePhone();
  await enrolment.nameGuardian(person.guardian, "Karnataka");
  await enrolment.agree();
  await enrolment.press("Send code", enrolment.guardian);
  await enrolment.giveGuardianCode(await person.code(person.guardian));
  await expect(enrolment.guardian).toContainText("Meera Verma agreed");
  await enrolment.proceedToPay();
  await answer(page, payButton);
  await expectOutcome(page, "paid");
});

test("a guardian who shares the student's phone consents on it @once", async ({ page, person, enrolment }) => {
  await enrolment.open();
  await enrolment.provePhone();
  await enrolment.nameGuardian(person.phone, "Karnataka");
  await enrolment.agree();
  if (!enrolment.scripts) await enrolment.press("Send code", enrolment.guardian);
  await enrolment.field("No, I will correct the number").check();
  await enrolment.press("Send code", enrolment.guardian);
  const own = "Guardian’s phone number must be different from yours.";
  await enrolment.expectError(enrolment.field("Guardian’s mobile number"), own);
  await enrolment.field("Yes, it is our family phone").check();
  if (!enrolment.scripts) await enrolment.press("Send code", enrolment.guardian);
  await enrolment.field("Relation to the student").selectOption("Mother");
  await enrolment.field("Your year of birth").fill("1981");
  await enrolment.press("Send code");
  await expect(enrolment.field("Guardian’s OTP")).toBeVisible();
  await enrolment.giveGuardianCode(await person.newCode());
  await expect(enrolment.guardian).toContainText("Meera Verma agreed");
  await enrolment.proceedToPay();
  await answer(page, payButton);
  await expectOutcome(page, "paid");
});

test("a number that has just got a code gets one in another browser too, so that strangers cannot block it @once", async ({
  enrolment,
  another,
}) => {
  const before = await another();
  await before.person.at("code sent");
  Object.assign(enrolment.person, { phone: before.person.phone, email: before.person.email });
  const first = await before.person.code();
  await enrolment.open();
  await enrolment.giveDetails();
  await enrolment.sendCode();
  await expect(enrolment.form).toContainText(`Code sent to ${mobile(enrolment.person.phone)}.`);
  await expect.poll(() => enrolment.person.code()).not.toBe(first);
  await enrolment.giveCode(await enrolment.person.code());
  await enrolment.expectVerified();
  expect((await before.person.mails()).filter(({ channel }) => channel === "sms")).toHaveLength(2);
});

/** Kiran verifies a number with which Meera has enrolled, and perhaps paid. */
async function onAnothersNumber(
  enrolment: Enrolment,
  { person: before }: { person: Person },
  step: "enrolled" | "paid",
) {
  before.name = "Meera Rao";
  await before.at(step);
  Object.assign(enrolment.person, { name: "Kiran Rao", phone: before.phone });
  await enrolment.open();
  await enrolment.giveDetails();
  await enrolment.sendCode();
  await enrolment.giveCode(await before.newCode());
  const page = enrolment.page;
  await expect(page).toHaveURL(new RegExp(`/pay\\?scholarship_requested_id=${before.registration}&typed=another(#|$)`));
  await expect(page.getByRole("heading", { level: 1 })).toContainText("with this number");
}

for (const step of ["enrolled", "paid"] as const)
  test(`another person with the number of an enrolment (${step}) changes only the number`, async ({
    page,
    enrolment,
    another,
    scripts,
  }) => {
    await onAnothersNumber(enrolment, await another(), step);
    if (step === "paid") {
      await page.getByRole("link", { name: "See ticket and receipt" }).click(); // a paid enrolment deletes only its own draft
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("You have paid");
      await page.goBack();
    }
    await expect(page.getByRole("heading", { level: 2 }).first()).toHaveText(
      scripts ? "To enrol Kiran" : "To enrol somebody else",
    );
    await page.getByRole("button", { name: "Use another number" }).click();
    await expect(page).toHaveURL(/#enrol$/);
    await expect(enrolment.field("Mobile number")).toHaveValue("");
    await expect(enrolment.field("Full name")).toHaveValue(scripts ? "Kiran Rao" : "");
  });

test("a payer who typed another name pays or corrects the details @long", async ({ page, enrolment, another }) => {
  await onAnothersNumber(enrolment, await another(), "enrolled");
  const asked = page.url();
  await page.getByRole("link", { name: "Pay ₹1,499 for Meera" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("One step is left: pay ₹1,499");
  await expect(page.getByRole("main")).toContainText("Meera Rao");
  await page.goto(asked);
  await page.getByRole("link", { name: "Correct it" }).click();
  await enrolment.takenOver();
  await expect(enrolment.field("Full name")).toHaveValue("Meera Rao");
});

test("a registered number continues with its code, and a paid one pays no second time @long", async ({
  page,
  enrolment,
  another,
}) => {
  test.setTimeout(180_000);
  const before = await another();
  await before.person.at("paid");
  Object.assign(enrolment.person, { phone: before.person.phone, email: before.person.email });
  const first = await enrolment.person.code();
  await enrolment.open();
  await enrolment.giveDetails();
  await expect(async () => {
    await enrolment.press("Send code", enrolment.at("phone_number")); // repeated until the other browser's minute is over
    await expect(enrolment.form).toContainText("Code sent to", { timeout: 2000 });
  }).toPass({ intervals: [10_000], timeout: 120_000 });
  await expect.poll(() => enrolment.person.code()).not.toBe(first);
  await enrolment.giveCode(await enrolment.person.code());
  await expect(page).toHaveURL(/\/pay(#|$)/);
  await expect(page.getByRole("heading", { name: "You have paid" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Receipt" })).toBeVisible();
});
