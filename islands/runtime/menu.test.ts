import { expect, test, vi } from "vitest";
import { closeMenuOnChoice } from "./view";

function show(markup: string): HTMLElement {
  document.body.innerHTML = markup;
  return document.body.firstElementChild as HTMLElement;
}

const find = (selector: string) => document.querySelector(selector) as HTMLElement;

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
