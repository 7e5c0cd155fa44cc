// Stands in for https://checkout.razorpay.com/v1/checkout.js, as far as pages use it: new Razorpay(options), on("payment.failed"),
// open(). The window is a page of the simulator in a frame, as Razorpay's is; what it tells is really signed.
(() => {
  const from = new URL(document.currentScript.src).origin;
  const home = from === "https://checkout.razorpay.com" ? "https://api.razorpay.com" : from;

  window.Razorpay = class {
    constructor(options) {
      if (!options.key) throw new Error("No key passed");
      this.options = options;
      this.failed = [];
    }

    on(name, listener) {
      if (name === "payment.failed") this.failed.push(listener);
    }

    open() {
      const { key, order_id, amount, name, notes = {} } = this.options;
      const address = new URL("/v1/checkout/public", home);
      const asked = { key_id: key, order_id, amount, name };
      for (const [note, text] of Object.entries(notes)) asked[`notes[${note}]`] = text;
      for (const [field, value] of Object.entries(asked)) address.searchParams.set(field, value ?? "");
      const frame = document.createElement("iframe");
      frame.className = "razorpay-checkout-frame";
      frame.title = "Payment";
      frame.src = address.href;
      const container = document.createElement("div");
      container.className = "razorpay-container";
      container.append(frame);
      document.body.append(container);
      const hear = ({ source, origin, data }) => {
        if (source !== frame.contentWindow || origin !== home) return;
        if (data.event === "failed") {
          for (const listener of this.failed) listener({ error: data.error });
          return; // the window stays open for another try
        }
        removeEventListener("message", hear);
        container.remove();
        if (data.event === "success") this.options.handler?.(data.response);
        else this.options.modal?.ondismiss?.();
      };
      addEventListener("message", hear);
    }
  };
})();
