// What the enrolment form does once scripts run: it judges while one types, and talks to the JSON API instead of posting.
import { type ComponentProps, type RefObject, useEffect, useRef, useState } from "react";
import { check, checkOnly, type Fault, type Values } from "../forms/check.ts";
import { type Answer, getGuarded, post, postGuarded } from "../runtime/api.ts";
import {
  draftOf,
  forgetDraft,
  isOpen,
  type KeptProof,
  keepDraft,
  keepOpen,
  keptProof,
  proofOf,
  restore,
} from "./draft.ts";
import { tidyInput } from "./input.ts";
import {
  envOf,
  form,
  guardian,
  more,
  type Proof,
  refuse,
  remind,
  type Said,
  silence,
  unproven,
  type View,
} from "./view.ts";

type Who = "phone" | "guardian";

/** What differs between the proof of one's own phone and the guardian's. */
const who = {
  phone: { number: "phone_number", code: "otp", before: ["fullname", "email", "phone_number"], name: "Mobile number" },
  guardian: {
    number: "guardian_phone",
    code: "guardian_otp",
    before: ["guardian_name", "guardian_phone"],
    name: "Guardian’s mobile number",
  },
} as const;

/** Fields whose errors the wire calls otherwise. */
const wireNames: Record<string, string> = { phone_otp: "otp" };

const announceAt = [60, 30, 10]; // seconds: a countdown that is read out every second tells nothing else
const badCoupon = form.fields.find(({ name }) => name === "coupon_code")?.rules?.[0]?.message ?? "";
const known = "This phone number is already registered.";

export interface Enrolment {
  view: View;
  /** Whether the visitor has enrolled here before, and has not paid. */
  waits: boolean;
  summary: RefObject<HTMLDivElement | null>;
  onFold: (what: "moreOpen" | "guardianOpen" | "choicesOpen", open: boolean) => void;
  handlers: ComponentProps<"form">;
}

export function useEnrolment(initial: View, go: (address: string) => void): Enrolment {
  const [view, setView] = useState(initial);
  const [waits, setWaits] = useState(false); // for its payment
  const now = useRef(view); // what handlers see, also those of answers that come late
  const element = useRef<HTMLFormElement>(null);
  const summary = useRef<HTMLDivElement>(null);
  const touched = useRef(new Set<string>());
  const told = useRef(new Map<string, Told>()); // what only the server knows to be wrong, by field
  const wanted = useRef(""); // the field, or the summary, that takes the focus once it stands there
  const pressed = useRef(false);
  const leaving = useRef(false);
  const unsent = useRef(true); // what stands in the form is a draft, until it is accepted
  const hasGuardian = useRef(initial.guardianOpen && initial.faults.length === 0); // the visitor opened that part
  const referral = useRef(""); // the code that was asked about last
  const asked = useRef<Partial<Record<Who, object>>>({}); // what the open code was asked with
  const wrong = useRef<Partial<Record<Who, { digits: string; answer: Answer }>>>({}); // each try counts: never sent twice
  const ends = useRef({ phone: endOf({}), guardian: endOf({}) }); // when the open code ends at the latest, ms since 1970
  const left = useRef<Partial<Record<Who, KeptProof>>>({}); // how far the number had come that was typed before

  const patch = (change: Partial<View> | ((view: View) => View)) => {
    now.current = typeof change === "function" ? change(now.current) : { ...now.current, ...change };
    setView(now.current);
    keepUnsent();
  };
  const keepUnsent = () => {
    if (!unsent.current || !element.current) return;
    const { code, phone, guardian, price } = now.current;
    keepDraft(code, {
      values: values(),
      phone: keptProof(phone, ends.current.phone),
      guardian: keptProof(guardian, ends.current.guardian),
      coupon: price.coupon,
    });
  };
  const input = (name: string) => {
    const found = element.current?.elements.namedItem(name);
    return found instanceof HTMLInputElement || found instanceof HTMLSelectElement ? found : undefined;
  };
  const values = (): Values => {
    const data = new FormData(element.current ?? undefined);
    return Object.fromEntries(form.fields.map(({ name }) => [name, data.getAll(name).join(",")]));
  };
  const tidyAll = () => {
    for (const { name } of form.fields) {
      const field = input(name);
      if (field instanceof HTMLInputElement) tidyInput(field);
    }
  };
  const say = (text: string, look: Said["look"] = "", at = "") =>
    patch({ status: text, said: look ? { text, look, at } : silence });

  /** Judges what was touched so far. What the server said of a value holds until the value changes. */
  const judge = () => {
    const typed = values();
    const { faults } = checkOnly(form, typed, envOf(now.current), ...touched.current);
    for (const [field, { message, value }] of told.current)
      if (value === (typed[field] ?? "")) faults.push({ field, message });
    patch((view) => stillAtFault(refuse(view, reminded(faults))));
  };
  const reminded = (faults: Fault[]) => (hasGuardian.current ? faults : remind(faults, values()));
  /** Remembers what our own rules do not find. */
  const tell = (faults: Fault[]) => {
    const typed = values();
    const { faults: own } = checkOnly(form, typed, envOf(now.current), ...touched.current);
    for (const { field, message } of faults)
      if (field && field !== "adult" && !own.some((fault) => fault.field === field))
        told.current.set(field, { message, value: typed[field] ?? "" });
  };
  /** Judges the fields that a button needs; the first at fault takes the focus. */
  const ready = (...names: string[]) => {
    const { faults } = checkOnly(form, values(), envOf(now.current), ...names);
    for (const name of names) touched.current.add(name);
    judge();
    if (faults[0]) focus(faults[0].field);
    return faults.length === 0;
  };
  const focus = (name: string) => {
    wanted.current = name;
  };

  /** Shows what the server refused: at its fields, and as a sentence where the visitor is. */
  const refused = (answer: Answer, at: string, names = wireNames) => {
    const faults = faultsOf(answer, names);
    tell(faults);
    judge();
    if (!faults[0]) return say(answer.message, answer.status === 0 ? "waiting" : "failed", at);
    say(answer.message);
    focus(faults[0].field);
  };

  /** Runs one action at a time; its button is busy meanwhile. */
  const run = async (action: string, work: () => Promise<void>) => {
    if (now.current.busy) return;
    for (const field of told.current.keys()) if (field !== "referral_code") told.current.delete(field);
    patch({ busy: action, said: silence, status: "" });
    try {
      await work();
    } finally {
      if (!leaving.current) patch({ busy: "" });
    }
  };

  const event = () => ({ scholarship_code: now.current.code, scholarship_subevent_code: now.current.subevent });

  const setProof = (which: Who, proof: Partial<Proof>) =>
    patch((view) => ({ ...view, [which]: { ...view[which], ...proof } }));

  const verified = (which: Who, number: string) => {
    setProof(which, { ...unproven, phase: "verified", number });
    touched.current.delete(who[which].code);
    judge();
    say(`${who[which].name} verified.`);
  };

  const sendCode = async (which: Who) => {
    const { number, code, before } = who[which];
    const { phase, resendAfter } = now.current[which];
    if (phase === "none" && resendAfter > 0) return; // how long it takes stands there
    touched.current.delete(code);
    if (!ready(...before)) return;
    const typed = values();
    const to = typed[number] ?? "";
    const { email = "", phone_number = "" } = typed;
    const ask = {
      ...event(),
      ...(which === "guardian" ? { purpose: "guardian", guardian_phone: to } : { email }),
      phone_number,
      country_code: "+91",
    };
    const answer = await postGuarded<CodeSent>("/scholarship/v1/user-verification-request", ask);
    if (answer.status === 402) return verified(which, to);
    if (answer.status === 429) setProof(which, { ...unproven, number: to, resendAfter: answer.retryAfter });
    if (!answer.ok) return refused(answer, number);
    asked.current[which] = ask;
    const { request_id = "", resend_after = 60 } = answer.body;
    ends.current[which] = endOf(answer.body);
    delete wrong.current[which];
    setProof(which, { phase: "sent", requestId: request_id, number: to, resendAfter: resend_after });
    say(`Code sent to +91 ${to}.`, "done", code);
    focus(code);
    if (which === "phone") welcomeBack(email, to);
  };

  /** Tells a visitor whose number is known that the code leads on; it never stops anybody. */
  const welcomeBack = async (email: string, phone_number: string) => {
    const body = { email, phone_number, scholarship_code: now.current.code };
    const answer = await post("/ks-website/v1/check-scholarship-registered-phone", body);
    if (answer.errors.phone_number === known && now.current.phone.phase === "sent")
      say(`${known} Enter the code that we sent, to continue.`, "info", "phone_number");
  };

  const resend = async (which: Who) => {
    const { code } = who[which];
    const { requestId, number, resendAfter } = now.current[which];
    if (resendAfter > 0) return say(`You can ask for the code again in ${resendAfter} seconds.`, "info", code);
    const answer = await postGuarded<CodeSent>("/ks-website/v1/resend-otp-for-scholarship-request", {
      request_id: requestId,
    });
    if (answer.retryAfter > 0) setProof(which, { resendAfter: answer.retryAfter });
    if (!answer.ok) return refused(answer, code, { phone_otp: code });
    ends.current[which] = endOf(answer.body);
    delete wrong.current[which];
    setProof(which, { resendAfter: answer.body.resend_after ?? 60 });
    say(`Code sent again to +91 ${number}.`, "done", code);
    focus(code);
  };

  const verify = async (which: Who) => {
    const { code } = who[which];
    if (!ready(code)) return;
    const digits = codeIn(values()[code]);
    const before = wrong.current[which];
    if (before?.digits === digits) return refused(before.answer, code, { phone_otp: code });
    const { requestId, number } = now.current[which];
    const answer = await post<Partial<Enrolled>>("/scholarship/v1/user-request-verify", {
      ...(asked.current[which] ?? {
        ...event(),
        phone_number: number,
        ...(which === "guardian" && { purpose: which }),
      }),
      request_id: requestId,
      ...(which === "guardian" ? { guardian_phone: number, guardian_otp: digits } : { phone_otp: digits }),
    });
    if (answer.ok && answer.body.scholarship_requested_id) {
      keepOpen(now.current.code);
      return leaveFor("/pay"); // who has enrolled before goes on there
    }
    if (answer.ok) return verified(which, number);
    if (answer.status === 422) wrong.current[which] = { digits, answer };
    refused(answer, code, { phone_otp: code });
  };

  const applyCoupon = async () => {
    const { clean } = checkOnly(form, values(), {}, "coupon_code");
    const code = clean.coupon_code ?? "";
    if (!ready("coupon_code")) return;
    if (!code) return refusedCoupon();
    const answer = await askCoupon(code);
    if (!answer.ok) refused(answer, "coupon_code");
  };

  const askCoupon = async (code: string) => {
    const { amount, currency } = now.current.price;
    const answer = await postGuarded<CouponApplied>("/scholarship/v1/apply-coupon", {
      ...event(),
      coupon_code: code,
      amount: Number(amount),
    });
    const final = answer.body.data?.final_amount;
    if (!answer.ok || final === undefined) return { ...answer, ok: false };
    const field = input("coupon_code");
    if (field) field.value = code;
    patch((view) => ({ ...view, price: { ...view.price, coupon: code, final: money(final, currency) } }));
    say(`Coupon applied: ${money(Number(amount) - final, currency)} off.`, "done", "coupon_code");
    return answer;
  };

  /** Asks about a referral code that is left. An answer counts only while its code still stands there. */
  const checkReferral = async () => {
    const standing = () => checkOnly(form, values(), {}, "referral_code");
    const { clean, faults } = standing();
    const code = clean.referral_code;
    if (!code || faults.length > 0 || code === referral.current || told.current.has("referral_code")) return;
    referral.current = code;
    const answer = await getGuarded(`/v1/users/referralCode/${code}`);
    if (standing().clean.referral_code !== code) return;
    const message = answer.errors.referral_code;
    if (answer.ok) patch({ referral: code, status: answer.message });
    else if (message) {
      tell([{ field: "referral_code", message }]);
      judge();
      patch({ status: message });
    } else referral.current = ""; // not reached, or limited: it is judged when the form is sent
  };

  const refusedCoupon = () => {
    tell([{ field: "coupon_code", message: badCoupon }]);
    judge();
    focus("coupon_code");
  };

  const withoutCoupon = () =>
    patch((view) => ({ ...view, price: { ...view.price, coupon: "", final: view.price.fee } }));

  const removeCoupon = async () => {
    const field = input("coupon_code");
    if (field) field.value = "";
    withoutCoupon();
    patch({ moreOpen: true });
    say("Coupon removed.");
    focus("coupon_code");
  };

  const pay = async () => {
    const { clean, faults } = check(form, values(), envOf(now.current));
    for (const { name } of form.fields) touched.current.add(name);
    if (faults.length > 0) return summarise(faults);
    const made = await post<Enrolled>("/scholarship/v1/create-scholarship-request", {
      ...event(),
      ...Object.fromEntries(sent.map((name) => [name, clean[name] ?? ""]).filter(([, value]) => value !== "")),
      country_code: "+91",
      adult: clean.adult === "true",
      agreed_terms_conditions: true,
      consents: (clean.consents ?? "").split(",").filter(Boolean),
    });
    if (!made.ok) return unpaid(made);
    unsent.current = false;
    keepOpen(now.current.code);
    const started = await post<PaymentStarted>("/payments/v1/initiate-payment", {
      scholarship_requested_id: made.body.scholarship_requested_id,
      redirection_url: `${location.origin}/success`,
    });
    const payment = started.body.transactionResponse;
    if (!started.ok || !payment) return unpaid(started);
    const { price } = now.current;
    const asShown = payment.currency !== price.currency || money(payment.amount, price.currency) === price.final;
    leaveFor(asShown ? payment.checkout_url : "/pay"); // an attempt that was open keeps its price: seen before it is paid
  };

  const leaveFor = (address: string) => {
    leaving.current = true;
    go(address);
  };

  /** Payment was not started: faults are summarised, and a coupon that was refused leaves the full price. */
  const unpaid = (answer: Answer) => {
    unsent.current = true;
    if (answer.errors.coupon_code) withoutCoupon();
    if (answer.errors.referral_code) patch({ referral: "" });
    if (answer.errors.phone_otp) patch({ phone: unproven }); // the session that knew of the proof is gone
    if (answer.errors.guardian_otp) patch({ guardian: unproven });
    if (answer.status === 0) return say(answer.message, "waiting", "pay");
    const faults = faultsOf(answer, wireNames);
    summarise(faults.length > 0 ? faults : [{ field: "", message: answer.message }]);
  };

  const summarise = (faults: Fault[]) => {
    tell(faults);
    patch((view) => refuse({ ...view, said: silence, status: "" }, reminded(faults)));
    patch((view) => ({ ...view, summary: view.faults }));
    focus("summary");
  };

  const actions: Record<string, () => Promise<void>> = {
    "send-code": () => sendCode("phone"),
    resend: async () => resend("phone"),
    verify: () => verify("phone"),
    "send-guardian-code": () => sendCode("guardian"),
    "resend-guardian": async () => resend("guardian"),
    "verify-guardian": () => verify("guardian"),
    "apply-coupon": applyCoupon,
    "remove-coupon": removeCoupon,
    pay,
  };

  /** The Enter key does what the field that it was pressed in is there for. */
  const entered = () => {
    const { phone, guardian, price } = now.current;
    switch ((document.activeElement as HTMLInputElement | null)?.name) {
      case "phone_number":
        return phone.phase === "none" ? "send-code" : "pay";
      case "guardian_phone":
        return guardian.phase === "none" ? "send-guardian-code" : "pay";
      case "otp":
        return "verify";
      case "guardian_otp":
        return "verify-guardian";
      case "coupon_code":
        return price.coupon || !input("coupon_code")?.value ? "pay" : "apply-coupon";
    }
    return "pay";
  };

  const submit = (action: string) => {
    const work = actions[action];
    if (work) void run(action, work);
  };

  /** Another number has to be proven anew; one that was changed back is as far as it had come. */
  const numberTyped = (which: Who, number: string) => {
    const proof = now.current[which];
    const before = left.current[which];
    if (proof.number && proof.number !== number) {
      const { code } = who[which];
      if (proof.phase !== "none") left.current[which] = keptProof(proof, ends.current[which]);
      patch({ [which]: unproven, said: silence });
      touched.current.delete(code);
      told.current.delete(code);
    } else if (proof.phase === "none" && before?.number === number) setProof(which, proofOf(before, number));
  };

  const typedIn = (field: HTMLInputElement) => {
    tidyInput(field);
    for (const which of ["phone", "guardian"] as const) {
      const { number, code } = who[which];
      if (field.name === number) numberTyped(which, field.value);
      if (field.name === code && codeIn(field.value).length === 6 && now.current[which].phase === "sent")
        submit(which === "phone" ? "verify" : "verify-guardian");
    }
    if (field.name === "referral_code") {
      referral.current = "";
      told.current.delete(field.name);
      if (now.current.referral) patch({ referral: "" });
    }
    if (field.name === "adult")
      patch((view) => ({ ...view, values: { ...view.values, adult: field.checked ? "true" : "" } }));
    if (touched.current.size > 0) judge();
  };

  /** Brings back what a reload took away. The price with the coupon is the server's, so it is asked for anew. */
  const restoreDraft = () => {
    const draft = draftOf(now.current.code);
    if (!draft || !element.current) return;
    restore(element.current, draft.values);
    const typed = values();
    for (const which of ["phone", "guardian"] as const) {
      if (now.current[which].phase !== "none") continue;
      ends.current[which] = draft[which].expiresAt;
      setProof(which, proofOf(draft[which], typed[who[which].number] ?? ""));
    }
    patch((view) => ({
      ...view,
      moreOpen: view.moreOpen || holdsAny(typed, more),
      guardianOpen: view.guardianOpen || holdsAny(typed, guardian),
      choicesOpen: view.choicesOpen || holdsAny(typed, ["consents"]),
    }));
    // Beside what the visitor does: nobody waits for it.
    if (draft.coupon && draft.coupon === typed.coupon_code && !now.current.price.coupon) void reapply(draft.coupon);
  };

  const reapply = async (coupon: string) => {
    const answer = await askCoupon(coupon);
    if (answer.ok) return;
    tell(faultsOf(answer, wireNames)); // the focus stays where it is: nobody pressed anything
    judge();
  };

  // Once a second while a code cannot be sent again. What is left is counted from the clock: timers sleep in hidden tabs.
  const counts = view.phone.resendAfter > 0 || view.guardian.resendAfter > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: patch and say work on what is current
  useEffect(() => {
    if (!counts) return;
    let last = Date.now();
    const tick = setInterval(() => {
      const passed = Math.round((Date.now() - last) / 1000);
      last += passed * 1000;
      for (const which of ["phone", "guardian"] as const) {
        const before = now.current[which].resendAfter;
        if (before === 0) continue;
        const left = Math.max(0, before - passed);
        setProof(which, { resendAfter: left });
        const mark = announceAt.find((second) => before > second && left <= second);
        if (mark) patch({ status: `You can ask for the code again in ${left} seconds.` });
        if (left > 0) continue;
        patch({ status: "You can ask for the code again now." });
        if (now.current[which].phase === "none") {
          setProof(which, unproven);
          told.current.delete(who[which].number);
          judge();
        }
      }
    }, 1000);
    return () => clearInterval(tick);
  }, [counts]);

  // The browser may read the code out of the SMS (WebOTP).
  const awaitsCode = view.phone.phase === "sent";
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the phase decides
  useEffect(() => {
    if (!awaitsCode || !("OTPCredential" in window)) return;
    const given = new AbortController();
    const options = { otp: { transport: ["sms"] }, signal: given.signal };
    navigator.credentials
      .get(options as CredentialRequestOptions)
      .then((credential) => {
        const field = input("otp");
        if (!(field instanceof HTMLInputElement) || !credential) return;
        field.value = (credential as Credential & { code: string }).code;
        typedIn(field);
      })
      .catch(() => undefined); // not allowed, or another tab got it: the visitor types
    return () => given.abort();
  }, [awaitsCode]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for as long as the form stands
  useEffect(() => {
    for (const { field } of initial.faults) touched.current.add(field);
    tell(initial.faults);
    tidyAll(); // what was typed before this loaded
    const open = isOpen(initial.code);
    setWaits(open);
    unsent.current = !open; // a browser that goes back writes what was sent into the form by itself
    try {
      restoreDraft();
    } catch {
      forgetDraft(initial.code); // another version of this script has kept it
    }
    void checkReferral();
    const box = input("adult"); // ticked before this loaded
    if (box instanceof HTMLInputElement && box.checked !== (now.current.values.adult === "true")) typedIn(box);
    const remind = () => {
      const lead = abandoned(values(), now.current);
      if (lead && !leaving.current) navigator.sendBeacon("/ks-website/v1/abandoned-enrolment", JSON.stringify(lead));
    };
    const back = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return;
      leaving.current = false;
      patch({ busy: "" });
      setWaits(isOpen(initial.code));
    };
    const online = () =>
      now.current.said.look === "waiting" && say("You are online again.", "done", now.current.said.at);
    const released = () => {
      if (!pressed.current) return;
      pressed.current = false;
      setTimeout(judge);
    };
    addEventListener("pagehide", remind);
    addEventListener("pageshow", back);
    addEventListener("online", online);
    addEventListener("pointerup", released);
    addEventListener("pointercancel", released);
    return () => {
      removeEventListener("pagehide", remind);
      removeEventListener("pageshow", back);
      removeEventListener("online", online);
      removeEventListener("pointerup", released);
      removeEventListener("pointercancel", released);
    };
  }, []);

  useEffect(() => {
    if (!wanted.current) return;
    const target = wanted.current === "summary" ? summary.current : input(wanted.current);
    wanted.current = "";
    target?.focus();
  });

  const hasSummary = view.summary.length > 0;
  useEffect(() => {
    const title = document.title.replace(/^Error: /, "");
    document.title = hasSummary ? `Error: ${title}` : title;
  }, [hasSummary]);

  return {
    view,
    waits,
    summary,
    onFold: (what, open) => {
      if (now.current[what] === open) return;
      if (what === "guardianOpen") hasGuardian.current = open;
      patch({ [what]: open });
    },
    handlers: {
      ref: element,
      onSubmit: (event) => {
        event.preventDefault();
        tidyAll(); // what was filled in without an input event
        const button = (event.nativeEvent as SubmitEvent).submitter as HTMLButtonElement | null;
        const action = button?.value ?? "pay";
        submit(action === "enter" ? entered() : action);
      },
      onInput: ({ target }) => {
        if (target instanceof HTMLInputElement) typedIn(target);
        else if (touched.current.size > 0) judge();
        unsent.current = true;
        keepUnsent();
      },
      onPointerDown: () => {
        pressed.current = true;
      },
      onBlur: ({ target }) => {
        // A window that loses the focus leaves its field the active one: the visitor reads the SMS.
        const field: Element = target;
        if (
          field === document.activeElement ||
          !(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)
        )
          return;
        if (field instanceof HTMLInputElement) tidyInput(field);
        touched.current.add(field.name);
        if (field.name === "referral_code") void checkReferral();
        if (!pressed.current) judge(); // a message must not move a button away from under a finger
      },
    },
  };
}

interface Told {
  message: string;
  value: string;
}

/** The fields that go over the wire as they are; the server asks for no other. */
const sent = [
  "fullname",
  "email",
  "phone_number",
  "company_name",
  "selected_course",
  "state",
  "referral_code",
  "coupon_code",
  "guardian_name",
  "guardian_phone",
];

interface CodeSent {
  request_id: string;
  resend_after: number;
  expires_in: number;
}
interface CouponApplied {
  data: { final_amount: number };
}
interface Enrolled {
  scholarship_requested_id: string;
}
interface PaymentStarted {
  transactionResponse: { checkout_url: string; amount: number; currency: string };
}

/** The faults of an answer, by the form's fields; what belongs to none of them is left to the answer's message. */
function faultsOf(answer: Answer, names: Record<string, string>): Fault[] {
  return Object.entries(answer.errors)
    .map(([wire, message]) => ({ field: names[wire] ?? wire, message }))
    .filter(({ field }) => form.fields.some(({ name }) => name === field));
}

const holdsAny = (typed: Values, names: string[]) => names.some((name) => typed[name]);

/** Takes what is mended off the summary. */
const stillAtFault = (view: View): View => ({
  ...view,
  summary: view.summary.filter(({ field }) => !field || view.faults.some((fault) => fault.field === field)),
});

/** When the code that was just sent ends, ms since 1970. */
const endOf = ({ expires_in = 600 }: Partial<CodeSent>) => Date.now() + expires_in * 1000;

/** The digits of a code that may have been pasted with spaces. */
const codeIn = (text = "") => text.replace(/[\s.()-]/g, "");

/** An amount as Go's Money.Short writes it. */
export function money(amount: number, currency: string): string {
  const digits = Number.isInteger(amount) ? 0 : 2;
  return new Intl.NumberFormat("en-IN", {
    style: "currency",
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(amount);
}

/** What may be kept of an enrolment that is left unfinished: only with consent, and only if one can be reached. */
function abandoned(typed: Values, view: View) {
  const { clean, faults } = checkOnly(form, typed, envOf(view), "fullname", "email", "phone_number", "consents");
  const consents = (clean.consents ?? "").split(",").filter(Boolean);
  if (faults.length > 0 || !consents.includes("reminders")) return null;
  const { fullname, email, phone_number } = clean;
  return { fullname, email, phone_number, scholarship_code: view.code, consents };
}
