import { expect, test, vi } from "vitest";
import { onlyOnce } from "./send";
import { find, show } from "./testing";
import { closeMenuOnChoice, closeMenuOutside, openDialog } from "./view";

test("a chosen link closes the menu, other places in it do not", () => {
  const menu = show('<nav popover><a href="#faq"><b>FAQ</b></a><p>…</p></nav>');
  menu.hidePopover = vi.fn();
  vi.spyOn(menu, "matches").mockReturnValue(true);
  closeMenuOnChoice(menu);
  find("p").click();
  expect(menu.hidePopover).not.toHaveBeenCalled();
  find("b").click();
  expect(menu.hidePopover).toHaveBeenCalledOnce();
});

test("opening the menu focuses its close button", () => {
  const menu = show('<nav popover><button>Close</button><a href="#x">One</a></nav>');
  const open = vi.spyOn(menu, "matches").mockReturnValue(false);
  closeMenuOnChoice(menu);
  menu.dispatchEvent(new Event("toggle"));
  expect(document.activeElement).toBe(document.body);
  open.mockReturnValue(true);
  menu.dispatchEvent(new Event("toggle"));
  expect(document.activeElement).toBe(find("button"));
});

test("the menu closes when focus leaves it, not while it stays", () => {
  const menu = show(
    '<nav id="menu"><a id="one" href="#x">One</a><a id="two" href="#y">Two</a></nav><button id="out"></button>',
  );
  vi.spyOn(menu, "matches").mockReturnValue(true);
  menu.hidePopover = vi.fn();
  closeMenuOnChoice(menu);
  find("#one").focus();
  find("#two").focus();
  expect(menu.hidePopover).not.toHaveBeenCalled();
  find("#out").focus();
  expect(menu.hidePopover).toHaveBeenCalledOnce();
});

const focus = (...places: string[]): void => {
  for (const place of places) find(place).focus();
};
const person = '<details open><summary>AP</summary><a id="one" href="#x">One</a></details><button id="out"></button>';

test.each([
  ["the focus goes elsewhere", () => focus("#one", "#out")],
  ["one presses elsewhere", () => find("#out").dispatchEvent(new Event("pointerdown", { bubbles: true }))],
  ["Esc is pressed", () => find("#one").dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }))],
])("a person's menu closes when %s", (_, act) => {
  const menu = show(person);
  closeMenuOutside(menu);
  act();
  expect(menu.hasAttribute("open")).toBe(false);
});

test.each([
  ["the focus moves within it", () => focus("summary", "#one")],
  ["one presses in it", () => find("#one").dispatchEvent(new Event("pointerdown", { bubbles: true }))],
  [
    "another key is pressed",
    () => find("#one").dispatchEvent(new KeyboardEvent("keydown", { key: "a", bubbles: true })),
  ],
])("a person's menu stays open when %s", (_, act) => {
  const menu = show(person);
  closeMenuOutside(menu);
  act();
  expect(menu.hasAttribute("open")).toBe(true);
});

test("Esc returns the focus to the menu's button", () => {
  closeMenuOutside(show(person));
  find("#one").dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
  expect(document.activeElement).toBe(find("summary"));
});

test.each([
  ["opens its question over the page", {}, 1, true],
  ["leads to the question's page where a new tab is wanted", { ctrlKey: true }, 0, false],
])("a link %s", (_, keys, shown, stays) => {
  const link = show('<a href="#out" data-dialog="log-out">Logout</a><dialog id="log-out"></dialog>');
  const dialog = document.getElementById("log-out") as HTMLDialogElement;
  dialog.showModal = vi.fn();
  openDialog(link);
  const click = new MouseEvent("click", { cancelable: true, ...keys });
  link.dispatchEvent(click);
  expect(dialog.showModal).toHaveBeenCalledTimes(shown);
  expect(click.defaultPrevented).toBe(stays);
});

test("a question that was cancelled can still be answered", () => {
  show('<form><button formmethod="dialog">Cancel</button><button>Log out</button></form>');
  const [cancel, logOut] = document.querySelectorAll("button");
  onlyOnce(document);
  const press = (submitter?: HTMLElement): boolean => {
    const event = Object.assign(new Event("submit", { bubbles: true, cancelable: true }), { submitter });
    return find("form").dispatchEvent(event);
  };
  expect([press(cancel), press(logOut), press(logOut)]).toEqual([true, true, false]);
});
