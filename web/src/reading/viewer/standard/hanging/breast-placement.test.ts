import { expect, test } from 'vitest';
import { type PlacedBreast, placeBreasts } from './breast-placement.ts';

const pane = { width: 300, height: 400 };
const breast = (width: number, height: number, more: Partial<PlacedBreast> = {}): PlacedBreast => ({
  pane,
  image: { width, height },
  isInMillimeters: true,
  chestWall: 'right',
  ...more,
});
/** Edges of an image on the screen, relative to its pane, and its mm for each screen pixel. */
const edgesOnScreen = (one: PlacedBreast, all: readonly PlacedBreast[]) => {
  const { zoom, pan } = placeBreasts(all)[all.indexOf(one)] ?? { zoom: NaN, pan: [NaN, NaN] };
  const scale = Math.max(one.image.width / one.pane.width, one.image.height / one.pane.height) / zoom;
  const width = one.image.width / scale;
  const left = (one.pane.width - width) / 2 + pan[0];
  return { scale, left, right: left + width };
};

test('current and prior mammograms of different sizes have the same scale, with the chest walls together', () => {
  const [right, left] = [breast(240, 300), breast(180, 240, { chestWall: 'left' })];
  const all = [right, left];

  expect(edgesOnScreen(right, all).scale).toBeCloseTo(0.8);
  expect(edgesOnScreen(left, all).scale).toBeCloseTo(0.8);
  expect(edgesOnScreen(right, all).right).toBeCloseTo(300);
  expect(edgesOnScreen(left, all).left).toBeCloseTo(0);
});

test('a mammogram in a smaller pane decides the scale of all', () => {
  const [large, small] = [breast(240, 300), breast(240, 300, { pane: { width: 300, height: 200 } })];

  expect(edgesOnScreen(large, [large, small]).scale).toBeCloseTo(1.5);
  expect(edgesOnScreen(small, [large, small])).toMatchObject({ scale: 1.5, right: 300 });
});

test('a mammogram without pixel spacing or direction keeps its own size or stays in the middle', () => {
  const unknown = breast(3000, 4000, { isInMillimeters: false, chestWall: 'left' });
  const undirected = breast(180, 300, { chestWall: undefined });
  const all = [unknown, undirected];

  expect(placeBreasts(all)[0]).toEqual({ zoom: 1, pan: [-0, 0] });
  expect(placeBreasts(all)[1]).toEqual({ zoom: 1, pan: [0, 0] });
});
