// Stands in for https://2pay-js.2checkout.com/v1/2pay.js, as far as pages use it: new TwoPayClient(merchant),
// components.create("card").mount(selector), tokens.generate(component, details). The fields are a page of the simulator in
// a frame, as 2Checkout's are.
(() => {
  const { origin } = new URL(document.currentScript.src);

  function card(merchant) {
    const frame = document.createElement("iframe");
    frame.title = "Card";
    frame.src = `${origin}/v1/card?merchant=${encodeURIComponent(merchant)}`;
    return {
      frame,
      mount: (selector) => document.querySelector(selector).append(frame),
      unmount: () => frame.remove(),
    };
  }

  function generate({ frame }, { name }) {
    if (!name) return Promise.reject(new Error("Name is missing"));
    return new Promise((resolve, reject) => {
      const hear = ({ source, origin: from, data }) => {
        if (source !== frame.contentWindow || from !== origin) return;
        removeEventListener("message", hear);
        if (data.token) resolve({ token: data.token });
        else reject(new Error(data.error));
      };
      addEventListener("message", hear);
      frame.contentWindow.postMessage("generate", origin);
    });
  }

  window.TwoPayClient = class {
    constructor(merchant) {
      if (!merchant) throw new Error("Merchant code is missing");
      this.components = { create: () => card(merchant) };
      this.tokens = { generate };
    }
  };
})();
