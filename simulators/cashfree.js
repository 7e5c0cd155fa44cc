// Stands for https://sdk.cashfree.com/js/v3/cashfree.js, as far as a checkout in the same window uses it.
(() => {
  const { origin } = new URL(document.currentScript.src);

  function checkout({ paymentSessionId, redirectTarget }) {
    if (!paymentSessionId || redirectTarget !== "_self")
      return Promise.resolve({ error: { message: "payment session id or redirect target is missing" } });
    const form = document.createElement("form");
    form.method = "post";
    form.action = `${origin}/pg/view/sessions/checkout`;
    form.hidden = true;
    const input = document.createElement("input");
    input.name = "payment_session_id";
    input.value = paymentSessionId;
    form.append(input);
    document.body.append(form);
    form.submit();
    return new Promise(() => {}); // the browser leaves
  }

  window.Cashfree = ({ mode }) => {
    if (mode !== "sandbox" && mode !== "production") throw new Error("mode is missing");
    return { checkout };
  };
})();
