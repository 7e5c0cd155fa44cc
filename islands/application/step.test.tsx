// The island with a fake server.
import { act } from "react";
import { expect, test } from "vitest";
import { otherTab } from "./calls.ts";
import {
  at,
  calls,
  draftPath,
  drafts,
  field,
  find,
  forget,
  go,
  kept,
  line,
  no,
  notice,
  pass,
  posted,
  press,
  replies,
  saved,
  setOnline,
  stepPath,
  stored,
  type,
  unmount,
  whole,
} from "./fixture.ts";

test("a draft is sent once, a second after the last key", async () => {
  at("academic");
  replies[draftPath] = [kept(4)];
  type({ course: "B.Sc. Stati" });
  await pass(900);
  type({ course: "B.Sc. Statis" });
  expect(stored()).toMatchObject([{ values: { course: "B.Sc. Statis" }, version: 3, field: "course" }]);
  await pass(990);
  expect(drafts()).toEqual([]);
  await pass(20);
  expect(drafts()).toEqual([
    {
      scholarship_code: "hiresure",
      profile_step: 2,
      scholarship_requested_id: "0123456789abcdefghjkmnpqrs",
      version: 3,
      field: "course_enrolled",
      institution_name: "Sarovara College",
      course_enrolled: "B.Sc. Statis",
    },
  ]);
  expect(line()).toBe("Saved 12:06");
  expect(stored()).toEqual([]);
});

test("without a pause in typing, a draft is sent after two seconds", async () => {
  at("academic");
  replies[draftPath] = [kept(4), kept(5)];
  for (let i = 0; i < 22; i++) {
    type({ course: "B".repeat(i + 1) });
    await pass(100);
  }
  expect(drafts()).toHaveLength(1);
});

test("input that is undone is not sent", async () => {
  at("academic");
  type({ course: "B.Sc. Statistics" });
  type({ course: "B.Sc. Stat" });
  await pass(5000);
  expect(drafts()).toEqual([]);
  expect(stored()).toEqual([]);
});

test("input that the server does not store stays in the tab, says so, and is not sent repeatedly", async () => {
  at("academic");
  replies[draftPath] = [kept(4, "exam_name"), kept(5, "exam_name"), kept(6)];
  type({ course: "B.Com.", examName: "4111 1111 1111 1111" });
  await pass(60_000);
  expect(drafts()).toHaveLength(1);
  expect(line()).toBe("Kept here 12:05");
  expect(find(".rail-step span").textContent).toBe("Step 2 of 6");
  expect(find(".lede").textContent).toBe("Write it.");
  expect(stored()).toMatchObject([{ values: { course: "B.Com.", examName: "4111 1111 1111 1111" }, version: 4 }]);
  type({ course: "B.Com. Hons." });
  await pass(60_000);
  expect(drafts()).toMatchObject([{ version: 3 }, { version: 4, course_enrolled: "B.Com. Hons." }]);
  expect(line()).toBe("Kept here 12:06");
  type({ examName: "HSC" });
  await pass(60_000);
  expect(drafts()).toHaveLength(3);
  expect([line(), stored()]).toEqual(["Saved 12:06", []]);
});

test("nothing is sent while offline, and the draft is sent once online", async () => {
  at("academic");
  setOnline(false);
  type({ examName: "HSC" });
  await pass(60_000);
  expect(calls).toEqual([]);
  expect(line()).toBe("Kept here 12:05");
  setOnline(true);
  replies[draftPath] = [kept(4)];
  act(() => void dispatchEvent(new Event("online")));
  await pass(10);
  expect(drafts()).toHaveLength(1);
  expect(line()).toBe("Saved 12:06");
});

test("without a response input stays in the tab, the page says so, and retries follow", async () => {
  at("academic");
  replies[draftPath] = [new TypeError("failed"), new TypeError("failed"), kept(4)];
  type({ examName: "HSC" });
  await pass(1100);
  expect(line()).toBe("Kept here 12:05");
  expect(find(".lede").textContent).toBe("Continue writing. NEXT sends everything as soon as the connection is back.");
  expect(find(".rail-step span").textContent).toBe("Step 2 of 6, offline");
  expect(Array.from(document.querySelectorAll(".offline-notice li"), (item) => item.textContent)).toEqual([
    "12:04On our server: Current Institution/College/School and Course Enrolled. Any device shows them.",
    "12:05On this device only: Exam Name. We send it automatically.",
  ]);
  await pass(2100);
  expect(drafts()).toHaveLength(2);
  act(() => void dispatchEvent(new Event("online")));
  await pass(10);
  expect(drafts()).toHaveLength(3);
  expect(line()).toBe("Saved 12:06");
  expect(find(".lede").textContent).toBe("Write it.");
  expect(find(".rail-step span").textContent).toBe("Step 2 of 6");
});

test("no row about unsaved input once everything is saved", async () => {
  at("academic");
  replies[draftPath] = [kept(4)];
  type(whole);
  await pass(1100);
  setOnline(false);
  await press("next");
  setOnline(true);
  replies[stepPath] = [() => new Promise(() => {})]; // never ends
  act(() => void dispatchEvent(new Event("online")));
  await pass(50);
  expect([calls.at(-1)?.path, notice()]).toEqual([stepPath, ""]);
  expect(Array.from(document.querySelectorAll(".offline-notice b"), (what) => what.textContent)).toEqual([
    "On our server:",
  ]);
});

test("stored input is restored over the server's values and sent", async () => {
  at("academic");
  replies[draftPath] = [new TypeError("failed")];
  type({ course: "B.Com.", examName: "HSC" });
  await pass(1100);
  unmount();
  forget();
  replies[draftPath] = [kept(4)];
  at("academic");
  expect([field("course").value, field("examName").value]).toEqual(["B.Com.", "HSC"]);
  await pass(1100);
  expect(drafts()).toMatchObject([{ version: 3, course_enrolled: "B.Com.", exam_name: "HSC" }]);
});

test("stored input of another account is not read", async () => {
  at("academic");
  replies[draftPath] = [new TypeError("failed")];
  type({ course: "B.Com." });
  await pass(1100);
  unmount();
  at("academic", { registration: "another" });
  expect(field("course").value).toBe("B.Sc. Stat");
});

test("NEXT lists several errors and sends nothing", async () => {
  at("academic");
  await press("next");
  expect(find(".error-summary h2").textContent).toBe("4 answers missing");
  expect(document.activeElement).toBe(find(".error-summary"));
  expect(find(".rail-step span").textContent).toBe("Step 2 of 6, 4 answers missing");
  expect(calls).toEqual([]);
  type({ yearSemester: "Semester 5" });
  expect(document.querySelectorAll(".error-summary li")).toHaveLength(3);
});

test("a single error is shown at its field, which takes the focus", async () => {
  at("academic");
  type({ ...whole, percentage: "101" });
  await press("next");
  expect(document.querySelector(".error-summary")).toBeNull();
  expect(find("#e-percentage").textContent).toBe("Percentage must not exceed 100");
  expect(document.activeElement).toBe(field("percentage"));
});

test("NEXT sends the step with the version shown, and opens the next page", async () => {
  at("academic");
  replies[stepPath] = [saved.clone()];
  type(whole);
  await press("next");
  expect(calls.filter(({ path }) => path === stepPath)).toMatchObject([
    { body: { profile_step: 2, version: 3, exam_year: "2024", exam_percentage: "81.4" } },
  ]);
  expect(go).toHaveBeenCalledExactlyOnceWith("/hiresure/form/scholarship");
  expect(stored()).toEqual([]);
  await pass(5000);
  expect(drafts()).toEqual([]);
});

test("NEXT after a change from the review returns to the review", async () => {
  at("changed");
  replies[stepPath] = [saved.clone()];
  await press("next");
  expect(go).toHaveBeenCalledExactlyOnceWith("/hiresure/form/review");
});

test.each([
  ["a field", no(422, "Not so.", { exam_percentage: "Not so." }), () => find("#e-percentage").textContent, "Not so."],
  ["no field", no(422, "Closed."), notice, "Closed."],
  ["too much", no(429, "Too many tries.", {}, { "Retry-After": "3" }), notice, "Too many tries."],
  [
    "nothing that helps",
    no(503, "We cannot save anything at the moment."),
    notice,
    "We cannot save anything at the moment.",
  ],
])("a rejection of %s is shown, and no input is lost", async (_, reply, shown, text) => {
  at("academic");
  replies[stepPath] = [reply];
  type(whole);
  await press("next");
  expect(shown()).toBe(text);
  if (shown === notice) expect(find("form [role=status]").textContent).toBe(text); // announced to screen readers
  expect(go).not.toHaveBeenCalled();
  expect(field("examName").value).toBe("HSC");
  expect(find('.application-buttons button[value="next"]').getAttribute("aria-busy")).toBeNull();
});

test("a step whose sending lost the connection is sent once online", async () => {
  at("academic");
  setOnline(false);
  type(whole);
  await press("next");
  expect(notice()).toBe("Not sent yet: you are offline. We send this page as soon as the connection is back.");
  expect([find(".lede").textContent, document.querySelector(".offline-notice")]).toEqual(["Write it.", null]); // said once
  expect(calls).toEqual([]);
  setOnline(true);
  replies[draftPath] = [kept(4)];
  replies[stepPath] = [saved.clone()];
  act(() => void dispatchEvent(new Event("online")));
  await pass(50);
  expect(calls.map(({ path, body }) => [path, body.version])).toEqual([
    [draftPath, 3],
    [stepPath, 4],
  ]);
  expect(go).toHaveBeenCalledOnce();
});

test.each([
  ["another tab was faster", no(409, otherTab)],
  ["the answers stand", no(409, "You cannot modify the previous details now.")],
  ["nobody is signed in", no(401, "Something went wrong, Please login")],
])("where %s the server's own page asks or says so, with all that is typed", async (_, reply) => {
  at("academic");
  replies[stepPath] = [reply];
  type(whole);
  await press("next");
  expect(posted).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ do: "next", seen: "3", examName: "HSC", registration: "0123456789abcdefghjkmnpqrs" }),
  );
  expect(go).not.toHaveBeenCalled();
  expect(stored()).toMatchObject([{ sent: true }]);
});

test("for a minor the server's page asks for the guardian, and nothing is sent before", async () => {
  at("warned");
  type({ fatherName: "Suresh Rao", address: "12 Temple Road, Mysuru" });
  const [day, month, year] = document.querySelectorAll<HTMLInputElement>('[name="dob"]');
  if (!day || !month || !year) throw new Error("no date");
  act(() => {
    year.value = "2010";
    year.dispatchEvent(new InputEvent("input", { bubbles: true }));
  });
  await press("next");
  expect(posted).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ do: "next", fatherName: "Suresh Rao" }));
  await pass(60_000);
  expect(calls).toEqual([]);
});

test("after another tab has saved, the page says so and sends nothing until the visitor chooses", async () => {
  at("academic");
  replies[draftPath] = [no(409, otherTab)];
  type({ course: "B.Com." });
  await pass(1100);
  expect(notice()).toBe(otherTab);
  expect(line()).toBe("Not saved yet");
  type({ course: "B.Com. Hons." });
  await pass(5000);
  expect(drafts()).toHaveLength(1);
  await press("keep");
  expect(posted).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ do: "keep", course: "B.Com. Hons." }));
});

test("a sign-out while typing is announced, and the input stays in the tab", async () => {
  at("academic");
  replies[draftPath] = [no(401, "Something went wrong, Please login")];
  type({ course: "B.Com." });
  await pass(1100);
  expect(notice()).toBe("You are logged out. What you typed is kept in this tab: sign in, and you come back to it.");
  expect(line()).toBe("Kept here 12:05");
  expect(find(".notice a").getAttribute("href")).toBe("/account/sign-in?next=%2Fhiresure%2Fform%2Facademic");
  expect(stored()).toMatchObject([{ values: { course: "B.Com." } }]);
});

test("BACK posts the input, and stays on the page while offline", async () => {
  at("academic");
  setOnline(false);
  await press("back");
  expect(notice()).toBe("Not sent: you are offline. Please try again once you are online.");
  expect(posted).not.toHaveBeenCalled();
  setOnline(true);
  await press("back");
  expect(posted).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ do: "back", course: "B.Sc. Stat" }));
});

test("a warning does not block NEXT and disappears when corrected", async () => {
  at("warned");
  expect(find(".warns").textContent).toContain("This PIN code does not look like one from Kerala. Please check.");
  type({ zip: "670001" });
  expect(document.querySelector(".warns")).toBeNull();
});

test.each(["refused", "scholarship"])(
  "a page (%s) of which the server holds something else is kept by itself",
  async (state) => {
    at(state, { unsaved: true });
    replies[draftPath] = [kept(4)];
    await pass(1100);
    expect(drafts()).toMatchObject([{ profile_step: 3, received_other_scholarship: state === "scholarship" }]);
  },
);

test("a rejected page whose input is saved is not sent again", async () => {
  at("refused");
  await pass(1100);
  expect(drafts()).toEqual([]);
});
