// The button next to a date in three fields opens the browser's calendar, which has lists of months and years.
import { type RefObject, useRef } from "react";
import { dateParts } from "../forms/date.ts";
import type { Fields } from "../forms/fields.ts";

interface CalendarProps {
  fields: Fields;
  name: string;
  /** The last day that can be chosen, YYYY-MM-DD. */
  last: string;
  onChoose: () => void;
}

export function Calendar({ fields, name, last, onChoose }: CalendarProps) {
  const day: RefObject<HTMLInputElement | null> = useRef(null);
  const open = () => {
    const input = day.current;
    if (!input) return;
    input.value = isoOf(fields.values()[name] ?? "");
    try {
      input.showPicker();
    } catch {
      fields.find(name)?.focus(); // without a date picker the visitor types
    }
  };
  return (
    <div className="calendar">
      <input
        ref={day}
        type="date"
        className="visually-hidden"
        min="1900-01-01"
        max={last}
        tabIndex={-1}
        aria-hidden="true"
        onChange={({ currentTarget: { value } }) => {
          if (!value) return;
          fields.write(name, value);
          onChoose();
        }}
      />
      <button className="icon-button" type="button" aria-label="Choose from a calendar" onClick={open}>
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M4.5 6.5h15v13h-15zM4.5 10.5h15M8.5 3.5v4M15.5 3.5v4" />
        </svg>
      </button>
    </div>
  );
}

/** Returns three fields in a date input's format; "" for an incomplete date. */
function isoOf(typed: string): string {
  const [day = "", month = "", year = ""] = dateParts(typed);
  const iso = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  return /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(iso) ? iso : "";
}

/** Returns the previous day; both are YYYY-MM-DD. */
export function dayBefore(today: string): string {
  const day = new Date(`${today}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() - 1);
  return day.toISOString().slice(0, 10);
}
