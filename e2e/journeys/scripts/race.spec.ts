import { request } from "@playwright/test";
import { Person } from "../../person.ts";
import { startSite } from "../../site.ts";
import { expect, test } from "../../test.ts";

test("exactly one of 50 concurrent people gets the last use of a coupon @long", async ({ database }) => {
  const site = await startSite(database, { CAPTCHA: "off" });
  const people = await Promise.all(
    Array.from({ length: 50 }, async () => new Person(await request.newContext({ baseURL: site.url }))),
  );
  await Promise.all(people.map((person) => person.at("enrolled", "LASTSEAT")));
  const answers = await Promise.all(
    people.map(async ({ call, registration }) => {
      const answer = await call.post("/payments/v1/initiate-payment", {
        data: { scholarship_requested_id: registration, redirection_url: "/success" },
      });
      return { status: answer.status(), body: await answer.json() };
    }),
  );
  const won = answers.filter(({ status }) => status === 200);
  expect(won.map(({ body }) => body.transactionResponse.amount)).toEqual([999]);
  for (const { status, body } of answers.filter((answer) => !won.includes(answer)))
    expect([status, body.errors]).toEqual([409, { coupon_code: "This coupon has just been used up." }]);
  for (const { call } of people) await call.dispose();
  await site.stop();
});
