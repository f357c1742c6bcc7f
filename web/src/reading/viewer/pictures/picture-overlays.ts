import type { Box, DrawnLines, Overlay } from './picture.ts';

/** CSS properties to copy into lines and text, because a saved picture has no style sheet. */
const looks = [
  'color',
  'display',
  'fill',
  'fill-opacity',
  'font-family',
  'font-size',
  'font-weight',
  'opacity',
  'paint-order',
  'stroke',
  'stroke-dasharray',
  'stroke-linejoin',
  'stroke-opacity',
  'stroke-width',
  'text-anchor',
  'dominant-baseline',
  'visibility',
  'white-space',
];

const withLooks = (original: Element, copy: Element) => {
  if (!(copy instanceof SVGElement)) return;
  const style = getComputedStyle(original);
  for (const look of looks) copy.style.setProperty(look, style.getPropertyValue(look));
  for (const [at, child] of [...original.children].entries()) {
    const copied = copy.children[at];
    if (copied) withLooks(child, copied);
  }
};

const isDrawing = (svg: Element): boolean =>
  !svg.closest('button, [role="alert"]') && !svg.parentElement?.closest('svg') && !svg.matches('.tabler-icon');

/** Returns the position of an element relative to the image. */
const placeIn = (screen: DOMRect, element: Element): Box => {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { left: left - screen.left, top: top - screen.top, width, height };
};

const linesOf = (svg: SVGElement, screen: DOMRect): DrawnLines[] => {
  const { left, top, width, height } = placeIn(screen, svg);
  const copy = svg.cloneNode(true);
  if (!(copy instanceof SVGElement)) return [];
  withLooks(svg, copy);
  copy.removeAttribute('class');
  for (const [name, value] of Object.entries({ x: left, y: top, width, height }))
    copy.setAttribute(name, String(value));
  return [{ markup: new XMLSerializer().serializeToString(copy), isCover: svg.dataset.pictureLayer === 'cover' }];
};

/** Copies a canvas with its content. */
export const copyOf = (canvas: HTMLCanvasElement): HTMLCanvasElement => {
  const copy = document.createElement('canvas');
  copy.width = canvas.width;
  copy.height = canvas.height;
  copy.getContext('2d')?.drawImage(canvas, 0, 0);
  return copy;
};

/**
 * Returns all overlays of an image, the lowest first, without icons and buttons. A canvas is included only if it has
 * `data-picture-layer="areas"`. A cover, such as a shutter, has `data-picture-layer="cover"`.
 */
export const overlaysOf = (canvas: HTMLCanvasElement, pane: Element): Overlay[] => {
  const screen = canvas.getBoundingClientRect();
  return [...pane.querySelectorAll('svg, canvas[data-picture-layer="areas"]')].flatMap((element): Overlay[] => {
    if (element instanceof HTMLCanvasElement) {
      // Skips a canvas without pixels, which cannot be drawn.
      const isEmpty = element.width === 0 || element.height === 0;
      return isEmpty ? [] : [{ areas: copyOf(element), at: placeIn(screen, element) }];
    }
    return element instanceof SVGElement && isDrawing(element) ? linesOf(element, screen) : [];
  });
};

/** Returns whether an overlay is still loading. */
export const isOverlayLoading = (pane: Element): boolean =>
  pane.querySelector('[data-picture-layer][data-state="coming"]') !== null;

/** Returns the overlays to include. Covers are always included. */
export const overlaysToInclude = (over: readonly Overlay[], isDrawnShown: boolean): Overlay[] =>
  over.filter((one) => isDrawnShown || ('isCover' in one && one.isCover));

/** Whether there are texts that users wrote. The numbers of a scale are ours. */
export const hasWords = (over: readonly Overlay[]): boolean =>
  over.some(
    (one) => 'markup' in one && one.markup.includes('<text') && !one.markup.includes('data-picture-layer="scale"'),
  );

/** Whether overlay planes of the file are drawn. They may contain text. */
export const hasPlanes = (over: readonly Overlay[]): boolean =>
  over.some((one) => 'markup' in one && one.markup.includes('data-picture-layer="planes"'));

export const hasAreas = (over: readonly Overlay[]): boolean => over.some((one) => 'areas' in one);

/** Text from the screen that must go with the picture. */
export type PaneText = { facts: string[]; titles: string[] };

/**
 * Reads the text of a pane. `data-picture-fact` marks text by the application, without identity. `data-picture-title`
 * marks text that users typed.
 */
export const paneTextOf = (pane: Element): PaneText => ({
  facts: [...pane.querySelectorAll<HTMLElement>('[data-picture-fact]')].map(({ dataset }) => dataset.pictureFact ?? ''),
  titles: [...pane.querySelectorAll('[data-picture-title]')].map(({ textContent }) => textContent.trim()),
});

/** Removes characters that XML 1.0 forbids (§2.2). Even one such character prevents drawing. */
export const inXml = (text: string): string =>
  text.replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '');
