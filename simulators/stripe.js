// Plays Stripe.js for the checkout, as far as it is used there: a Payment Element inline, with the cards that Stripe gives to
// those who try it out, and confirmPayment. It calls the API that it came from.
(() => {
  const { origin } = new URL(document.currentScript.src);
  const api = origin === "https://js.stripe.com" ? "https://api.stripe.com" : origin;
  const methods = {
    "A card that pays": "4242424242424242",
    "A card that is declined": "4000000000000002",
    "A card whose bank asks who pays": "4000002500003155",
    "A bank that takes its time": "",
  };

  const tag = (name, text = "") => Object.assign(document.createElement(name), { textContent: text });

  function element() {
    const box = tag("div");
    const label = tag("label", "Card ");
    const select = tag("select");
    Object.assign(select.style, { maxWidth: "100%", minHeight: "48px" });
    select.append(...Object.keys(methods).map((text) => tag("option", text)));
    label.append(select);
    box.append(label);
    const heard = {};
    return {
      number: () => methods[select.value],
      on(event, listener) {
        heard[event] = listener;
      },
      mount(place) {
        place.append(box);
        setTimeout(() => heard.ready?.());
      },
      unmount: () => box.remove(),
      destroy: () => box.remove(),
    };
  }

  /** The window in which a bank asks who pays. */
  function challenge() {
    return new Promise((resolve) => {
      const shown = tag("dialog", "Your bank asks who pays. ");
      const answers = { "It is me": true, Decline: false, Close: false };
      for (const [text, good] of Object.entries(answers)) {
        const button = tag("button", text);
        button.addEventListener("click", () => {
          shown.remove();
          resolve(good);
        });
        shown.append(button);
      }
      document.body.append(shown);
      shown.showModal();
    });
  }

  window.Stripe = (key) => {
    async function call(intent, what, fields) {
      const answer = await fetch(`${api}/v1/payment_intents/${intent}/${what}`, {
        method: "POST",
        headers: { Authorization: `Bearer ${key}` },
        body: new URLSearchParams(fields),
      });
      return answer.json();
    }

    return {
      elements({ clientSecret }) {
        let made;
        return {
          clientSecret,
          number: () => made.number(),
          create: () => {
            made = element();
            return made;
          },
          submit: async () => ({}),
        };
      },
      async confirmPayment({ elements, confirmParams, redirect }) {
        const secret = elements.clientSecret;
        const intent = secret.split("_secret_")[0];
        const fields = { client_secret: secret, return_url: confirmParams.return_url };
        if (elements.number()) fields["payment_method_data[card][number]"] = elements.number();
        let told = await call(intent, "confirm", fields);
        if (told.status === "requires_action")
          told = await call(intent, "proof", { client_secret: secret, good: await challenge() });
        const error = told.error ?? told.last_payment_error;
        if (error) return { error };
        if (redirect === "if_required") return { paymentIntent: told };
        const back = new URL(confirmParams.return_url);
        back.searchParams.set("payment_intent", told.id);
        back.searchParams.set("redirect_status", told.status);
        location.assign(back);
        return new Promise(() => {});
      },
    };
  };
})();
