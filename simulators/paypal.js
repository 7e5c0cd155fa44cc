// Plays https://www.paypal.com/sdk/js in a page: paypal.Buttons renders a button, which opens a window over the page.
(() => {
  const own = new URL(document.currentScript.src);

  const button = (text, press) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = text;
    made.addEventListener("click", press);
    return made;
  };

  const buttons = (options) => {
    let place;
    const open = async () => {
      const shown = document.createElement("dialog");
      shown.setAttribute("aria-label", "PayPal");
      const end = () => {
        shown.close();
        shown.remove();
      };
      try {
        const orderID = await options.createOrder({ paymentSource: "paypal" }, {});
        const agree = (what) => async () => {
          const press = new URL(`/checkoutnow/${what}`, own);
          press.searchParams.set("token", orderID);
          const answer = await fetch(press, { method: "POST" });
          end();
          if (!answer.ok) return options.onError?.(new Error(`the window answered ${answer.status}`));
          await options.onApprove({ orderID, payerID: "QYR5Z8XDVJNXQ", paymentSource: "paypal" }, { restart: open });
        };
        shown.append(
          button("Pay", agree("pay")),
          button("Decline", agree("decline")),
          button("Wait for the bank", agree("cheque")),
          button("Close", () => {
            end();
            options.onCancel?.({ orderID });
          }),
        );
        document.body.append(shown);
        shown.showModal();
      } catch (error) {
        end();
        options.onError?.(error);
      }
    };
    return {
      isEligible: () => true,
      render: async (container) => {
        place = typeof container === "string" ? document.querySelector(container) : container;
        const paying = button("Pay with PayPal", open);
        paying.style.minHeight = "48px";
        place.append(paying);
      },
      close: async () => place?.replaceChildren(),
    };
  };

  window.paypal = { Buttons: buttons };
})();
