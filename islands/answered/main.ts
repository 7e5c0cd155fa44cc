// Pages that answer a post, to which the browser's Back must be able to return.
import { comesBack } from "../signin/here.ts";
import { dropDiscarded, keepChosen } from "./chosen.ts";

for (const form of document.querySelectorAll<HTMLFormElement>("form[data-here]")) comesBack(form);
for (const form of document.querySelectorAll<HTMLFormElement>("form[data-kept-by]")) keepChosen(form);
for (const form of document.querySelectorAll<HTMLFormElement>("form[data-drops]")) dropDiscarded(form);
