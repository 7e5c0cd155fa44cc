// Pages that are the answer to a post, and may be left by the browser's Back as any other.
import { comesBack } from "../signin/here.ts";
import { keepChosen } from "./chosen.ts";

for (const form of document.querySelectorAll<HTMLFormElement>("form[data-here]")) comesBack(form);
for (const form of document.querySelectorAll<HTMLFormElement>("form[data-kept-by]")) keepChosen(form);
