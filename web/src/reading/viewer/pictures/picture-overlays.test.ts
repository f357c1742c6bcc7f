import { expect, test } from 'vitest';
import { overlaysOf, hasAreas, inXml, isOverlayLoading, paneTextOf, overlaysToInclude } from './picture-overlays.ts';

const paneWith = (html: string): Element => {
  document.body.innerHTML = `<div><canvas id="picture"></canvas>${html}</div>`;
  return document.body.firstElementChild ?? document.body;
};

const over = (html: string) => {
  const pane = paneWith(html);
  const canvas = pane.querySelector<HTMLCanvasElement>('#picture');
  if (!canvas) throw new Error('There is a canvas');
  return overlaysOf(canvas, pane);
};

const marks = (layers: ReturnType<typeof over>) =>
  layers.map((layer) => /id="(\w+)"/.exec('markup' in layer ? layer.markup : '')?.[1]);

const measured = '<svg id="measured"><path d="M0 0"/></svg>';
const shutter = '<svg id="shutter" data-picture-layer="cover"><path d="M1 1"/></svg>';
const arrows = '<svg id="arrows"><text>Cyst</text></svg>';

test('an exported image includes drawings in their order, and no icons and buttons', () => {
  const icon = '<svg class="tabler-icon"></svg><button><svg></svg></button><p role="alert"><svg></svg></p>';

  expect(marks(over(measured + shutter + icon + arrows))).toEqual(['measured', 'shutter', 'arrows']);
});

test('an exported image keeps a shutter when drawings are omitted, because it may cover a name', () => {
  const layers = over(measured + shutter + arrows);

  expect(marks(overlaysToInclude(layers, false))).toEqual(['shutter']);
  expect(marks(overlaysToInclude(layers, true))).toEqual(['measured', 'shutter', 'arrows']);
});

test('the texts of a pane are split into fixed facts and texts of users', () => {
  const pane = paneWith(
    `<p data-picture-fact="Shown by a presentation state"><span data-picture-title>Presentation LUNG</span>
     <span data-picture-fact="Not applied: overlay planes">Not applied: overlay planes</span></p>
     <p>W 400</p>`,
  );

  expect(paneTextOf(pane)).toEqual({
    facts: ['Shown by a presentation state', 'Not applied: overlay planes'],
    titles: ['Presentation LUNG'],
  });
});

test('segments keep their order between layers, and are omitted together with the drawings', () => {
  const layers = over(
    `${measured}<canvas id="segments" data-picture-layer="areas"></canvas><canvas></canvas>${shutter}`,
  );

  expect(layers.map((layer) => ('areas' in layer ? 'segments' : layer.isCover))).toEqual([false, 'segments', true]);
  expect(hasAreas(overlaysToInclude(layers, true))).toBe(true);
  expect(hasAreas(overlaysToInclude(layers, false))).toBe(false);
});

test('an export waits for segments that are still loading', () => {
  const canvas = (state: string) => `<canvas data-picture-layer="areas" data-state="${state}"></canvas>`;

  expect(isOverlayLoading(paneWith(canvas('coming')))).toBe(true);
  expect(isOverlayLoading(paneWith(canvas('there')))).toBe(false);
});

test('characters that are invalid in XML are left out of a label', () => {
  const xml = inXml('<text>Cyst\u000C \u001B[1m\uD800 2 cm\uFFFE\u0000, größer 😀\n</text>');

  expect(xml).toBe('<text>Cyst [1m 2 cm, größer 😀\n</text>');
  expect(new DOMParser().parseFromString(xml, 'text/xml').querySelector('parsererror')).toBeNull();
});
