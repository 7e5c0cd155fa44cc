// Crops a photo by touch, mouse or keyboard. Loaded with the first photo.
import { type Corner, corners, first, moved, pulled, type Size, sized, widest } from "./frame.ts";
import { mostPixels, type Part, scaled } from "./picture.ts";

export interface Chosen {
  picture: CanvasImageSource;
  part: Part;
}

const [knob, halo] = [9, 14.5]; // radii in CSS pixels
const svgSpace = "http://www.w3.org/2000/svg";

/** Shows the crop in place of the page until the visitor uses the photo or cancels. */
export function crop(form: HTMLElement, bitmap: ImageBitmap): Promise<Chosen | undefined> {
  return new Promise((resolve) => new Stage(form, bitmap, resolve));
}

const markup = `
  <div class="application-intro"><p class="eyebrow">Passport photo</p><h1 tabindex="-1">Face between the two lines</h1>
    <p class="lede">Drag the photo, or a gold corner.</p></div>
  <div class="crop-stage"><canvas></canvas><svg role="group" aria-label="What of the photo is kept">
    <path class="shade" fill-rule="evenodd"></path><path class="lines"></path>
    <rect class="frame" tabindex="0" role="img"></rect></svg></div>
  <div class="crop-tools"><button class="button button-outline" type="button" data-rotate>
    <svg class="document-sign" viewBox="0 0 24 24" aria-hidden="true"><path d="M19.5 5.5v5h-5M19 10.5a7.5 7.5 0 10.2 4.6"></path></svg>Rotate</button>
    <label class="crop-size">Size<input type="range" min="20" max="100"></label></div>
  <p class="meta">35 × 45 mm</p>
  <p class="meta crop-keys"><kbd>Tab</kbd> to the frame or a corner, arrows move it, <kbd>R</kbd> rotates.</p>
  <div class="application-buttons"><button class="button button-outline" type="button" data-cancel>Cancel</button>
    <button class="button" type="button" data-use>Use this photo</button></div>`;

/** Draws a photo turned clockwise by quarters, with its longer side shortened to most pixels. */
function rotated(
  canvas: HTMLCanvasElement,
  photo: ImageBitmap,
  quarters: number,
  most = Number.POSITIVE_INFINITY,
): HTMLCanvasElement {
  const { width, height } = scaled(photo.width, photo.height, most);
  [canvas.width, canvas.height] = quarters % 2 ? [height, width] : [width, height];
  const context = canvas.getContext("2d");
  context?.translate(canvas.width / 2, canvas.height / 2);
  context?.rotate((quarters * Math.PI) / 2);
  context?.drawImage(photo, -width / 2, -height / 2, width, height);
  return canvas;
}

class Stage {
  private readonly place = document.createElement("section");
  private readonly canvas: HTMLCanvasElement;
  private readonly svg: SVGSVGElement;
  private readonly knobs = new Map<Corner, SVGElement>();
  private readonly range: HTMLInputElement;
  private quarters = 0; // clockwise quarter turns
  private photo: Size; // after turning
  private part: Part;

  constructor(
    private readonly form: HTMLElement,
    private readonly bitmap: ImageBitmap,
    private readonly done: (chosen: Chosen | undefined) => void,
  ) {
    this.place.className = "crop application-body";
    this.place.innerHTML = markup;
    this.canvas = this.find("canvas");
    this.svg = this.find(".crop-stage svg");
    this.range = this.find("input");
    for (const corner of corners) this.addKnob(corner);
    rotated(this.canvas, bitmap, 0, mostPixels);
    this.photo = bitmap;
    this.part = first(this.photo);
    this.listen();
    const page = form.closest<HTMLElement>(".application-body");
    page?.before(this.place);
    if (page) page.hidden = true;
    new ResizeObserver(() => this.draw()).observe(this.svg);
    scrollTo(0, 0);
    this.find<HTMLElement>("h1").focus();
  }

  private find<Kind extends Element>(selector: string): Kind {
    const found = this.place.querySelector<Kind>(selector);
    if (!found) throw new Error(`the crop has no ${selector}`);
    return found;
  }

  private addKnob(corner: Corner): void {
    const circle = document.createElementNS(svgSpace, "circle");
    circle.setAttribute("class", "knob");
    circle.setAttribute("tabindex", "0");
    circle.setAttribute("role", "img");
    circle.setAttribute("aria-label", `Corner, ${corner}`);
    const ring = document.createElementNS(svgSpace, "circle");
    ring.setAttribute("class", "halo");
    this.svg.append(ring, circle);
    this.knobs.set(corner, circle);
  }

  private listen(): void {
    this.svg.addEventListener("pointerdown", (event) => this.drag(event));
    this.svg.addEventListener("keydown", (event) => this.key(event));
    this.place.addEventListener("keydown", (event) => {
      if (event.key === "r" || event.key === "R") this.rotate();
      if (event.key === "Escape") this.end(undefined);
    });
    this.range.addEventListener("input", () =>
      this.set(sized(this.photo, this.part, (widest(this.photo) * Number(this.range.value)) / 100)),
    );
    this.find("[data-rotate]").addEventListener("click", () => this.rotate());
    this.find("[data-cancel]").addEventListener("click", () => this.end(undefined));
    this.find("[data-use]").addEventListener("click", () => this.end({ picture: this.whole(), part: this.part }));
  }

  private end(chosen: Chosen | undefined): void {
    this.place.remove();
    const page = this.form.closest<HTMLElement>(".application-body");
    if (page) page.hidden = false;
    this.form.querySelector<HTMLElement>('li[data-kind="photo"] input')?.focus();
    this.done(chosen);
  }

  private set(part: Part): void {
    this.part = part;
    this.draw();
  }

  private cornerOf = (target: EventTarget | null): Corner | undefined =>
    corners.find((corner) => this.knobs.get(corner) === target);

  private drag(down: PointerEvent): void {
    down.preventDefault();
    const { scale } = this.shown();
    const { part } = this;
    const corner = this.cornerOf(down.target) ?? this.near(down);
    this.svg.setPointerCapture(down.pointerId);
    const move = ({ clientX, clientY }: PointerEvent): void => {
      const dx = (clientX - down.clientX) * scale;
      const dy = (clientY - down.clientY) * scale;
      this.set(corner ? pulled(this.photo, part, corner, dx) : moved(this.photo, part, dx, dy));
    };
    this.svg.addEventListener("pointermove", move);
    for (const end of ["pointerup", "pointercancel"])
      this.svg.addEventListener(end, () => this.svg.removeEventListener("pointermove", move), { once: true });
  }

  /** Returns the corner within 24 px: a finger is 48 px wide, a corner's knob only 18 px. */
  private near({ clientX, clientY }: PointerEvent): Corner | undefined {
    const { scale, left, top } = this.shown();
    const x = (clientX - left) * scale;
    const y = (clientY - top) * scale;
    return corners.find((corner) => {
      const at = this.at(corner);
      return Math.hypot(at.x - x, at.y - y) <= 24 * scale;
    });
  }

  /** Returns the photo's position in the window, and its pixels per CSS pixel. It need not fill the stage. */
  private shown(): { scale: number; left: number; top: number } {
    const { a, e, f } = this.svg.getScreenCTM() ?? { a: 1, e: 0, f: 0 };
    return { scale: 1 / a, left: e, top: f };
  }

  private at(corner: Corner): { x: number; y: number } {
    const { x, y, width, height } = this.part;
    return { x: corner.endsWith("left") ? x : x + width, y: corner.startsWith("top") ? y : y + height };
  }

  private key(event: KeyboardEvent): void {
    const ways: Record<string, [number, number]> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
    };
    const way = ways[event.key];
    if (!way) return;
    event.preventDefault();
    const step = (this.photo.width / 100) * (event.shiftKey ? 5 : 1);
    const [dx, dy] = [way[0] * step, way[1] * step];
    const corner = this.cornerOf(event.target);
    const aside = corner?.startsWith("top") === corner?.endsWith("left") ? dy : -dy; // for an upper corner, up enlarges the frame
    this.set(corner ? pulled(this.photo, this.part, corner, dx || aside) : moved(this.photo, this.part, dx, dy));
  }

  /** Turns the photo clockwise by a quarter. */
  private rotate(): void {
    this.quarters = (this.quarters + 1) % 4;
    this.photo = { width: this.photo.height, height: this.photo.width };
    rotated(this.canvas, this.bitmap, this.quarters, mostPixels);
    this.set(first(this.photo));
  }

  /** The photo at full size; the displayed one is smaller. */
  private whole(): CanvasImageSource {
    return this.quarters ? rotated(document.createElement("canvas"), this.bitmap, this.quarters) : this.bitmap;
  }

  private draw(): void {
    const { width: w, height: h } = this.photo;
    const { x, y, width, height } = this.part;
    this.svg.setAttribute("viewBox", `0 0 ${w} ${h}`);
    const lines = [0.14, 0.8].map((at) => `M${x} ${y + height * at}h${width}`).join("");
    // From the photo to the stage's edges, even if the photo is narrow.
    this.find(".shade").setAttribute(
      "d",
      `M${-9 * w} ${-h}h${19 * w}v${3 * h}h${-19 * w}zM${x} ${y}h${width}v${height}h${-width}z${lines}`,
    );
    this.find(".lines").setAttribute("d", lines);
    const frame = this.find(".frame");
    for (const [name, value] of Object.entries(this.part)) frame.setAttribute(name, String(value));
    const per = (value: number, of: number): string => `${Math.round((value / of) * 100)} per cent`;
    frame.setAttribute(
      "aria-label",
      `Frame: ${per(x, w)} from the left, ${per(y, h)} from the top, ${per(width, w)} wide`,
    );
    const { scale } = this.shown();
    for (const [corner, circle] of this.knobs) {
      const at = this.at(corner);
      for (const [ring, radius] of [
        [circle, knob],
        [circle.previousElementSibling, halo],
      ] as const) {
        ring?.setAttribute("cx", String(at.x));
        ring?.setAttribute("cy", String(at.y));
        ring?.setAttribute("r", String(radius * scale));
      }
    }
    this.range.value = String(Math.round((width / widest(this.photo)) * 100));
    this.range.style.setProperty("--at", `${((Number(this.range.value) - 20) / 80) * 100}%`);
  }
}
