// Spells each line of its input, a sum in rupees, as the library to-words does for India.
import { createInterface } from "node:readline";
import { ToWords } from "to-words";

const india = new ToWords({ localeCode: "en-IN", converterOptions: { currency: true } });
for await (const line of createInterface({ input: process.stdin })) process.stdout.write(`${india.convert(line)}\n`);
