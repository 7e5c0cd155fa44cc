/** Accepts files dropped on a row, and stops the browser from opening a file dropped elsewhere. */
export function acceptDrops(form: HTMLElement, dropped: (row: HTMLElement, files: File[]) => void): void {
  const rowAt = ({ target }: Event): HTMLElement | null =>
    target instanceof Element ? target.closest<HTMLElement>("li.document:not(.is-uploading)") : null;
  let over: HTMLElement | null = null;
  const mark = (row: HTMLElement | null): void => {
    over?.classList.remove("is-over");
    over = row;
    row?.classList.add("is-over");
  };
  const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;
  addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    const row = event.target instanceof Node && form.contains(event.target) ? rowAt(event) : null;
    if (row !== over) mark(row);
    if (event.dataTransfer) event.dataTransfer.dropEffect = row ? "copy" : "none";
  });
  addEventListener("dragleave", ({ relatedTarget }) => {
    if (!relatedTarget) mark(null); // dragged out of the window
  });
  addEventListener("drop", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    const row = over;
    mark(null);
    if (row) dropped(row, [...(event.dataTransfer?.files ?? [])]);
  });
}
