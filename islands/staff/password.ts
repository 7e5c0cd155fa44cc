/** Lets a button show and hide the password before it. */
export function showPassword(button: HTMLButtonElement): void {
  const field = button.previousElementSibling;
  if (!(field instanceof HTMLInputElement)) return;
  button.hidden = false;
  button.addEventListener("click", () => {
    const shown = field.type === "password";
    field.type = shown ? "text" : "password";
    button.textContent = shown ? "Hide" : "Show";
  });
  // Browsers save a password only from a field that hides it.
  field.form?.addEventListener("submit", () => {
    field.type = "password";
  });
}
