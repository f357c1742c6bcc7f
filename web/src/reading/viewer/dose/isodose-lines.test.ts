import { expect, test } from 'vitest';
import { baseText, levelsOf } from './dose-levels.ts';
import { isoline } from './isodose-lines.ts';

const size = { rows: 64, columns: 64 };
const [middle, radius] = [{ x: 30.25, y: 35.5 }, 14.3] as const;

/** Values that fall off from a point, in pixels; the center of the first pixel is 0.5, 0.5. */
const cone = Float32Array.from({ length: 64 * 64 }, (_, at) => {
  const [x, y] = [(at % 64) + 0.5, Math.floor(at / 64) + 0.5];
  return 100 - Math.hypot(x - middle.x, y - middle.y);
});

const pointsOf = (path: string) =>
  [...path.matchAll(/[ML](-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => ({ x: Number(x), y: Number(y) }));

test('an isodose line runs where the dose has its level', () => {
  const points = pointsOf(isoline(cone, size, 100 - radius));

  expect(points.length).toBeGreaterThan(100);
  for (const { x, y } of points) expect(Math.abs(Math.hypot(x - middle.x, y - middle.y) - radius)).toBeLessThan(0.1);
});

test('a line is closed: each end of a piece is also the end of another piece', () => {
  const ends = Map.groupBy(pointsOf(isoline(cone, size, 100 - radius)), ({ x, y }) => `${x} ${y}`);

  expect([...ends.values()].every(({ length }) => length === 2)).toBe(true);
});

test('the two lines through a saddle connect the correct sides', () => {
  const saddle = Float32Array.of(1, 0, 0, 1);
  const sidesOf = (level: number) =>
    isoline(saddle, { rows: 2, columns: 2 }, level)
      .split('M')
      .filter(Boolean)
      .map((piece) =>
        pointsOf(`M${piece}`).map(({ x, y }) =>
          y === 0.5 ? 'top' : y === 1.5 ? 'bottom' : x === 0.5 ? 'left' : 'right',
        ),
      );

  // Below the middle value, the high corners at the top left and bottom right are joined. Above, each is on its own.
  expect(sidesOf(0.4)).toEqual(
    [
      ['bottom', 'left'],
      ['right', 'top'],
    ].map((sides) => expect.arrayContaining(sides)),
  );
  expect(sidesOf(0.6)).toEqual(
    [
      ['left', 'top'],
      ['right', 'bottom'],
    ].map((sides) => expect.arrayContaining(sides)),
  );
});

test('no line is drawn where there is no dose', () => {
  const cut = cone.map((value, at) => (at % 64 > 30 ? Number.NaN : value));

  expect(pointsOf(isoline(cut, size, 100 - radius)).every(({ x }) => x <= 30.5)).toBe(true);
  expect(
    isoline(
      cone.map(() => Number.NaN),
      size,
      50,
    ),
  ).toBe('');
});

const given = { maximum: 60, prescription: 50, unit: 'Gy', reference: 'prescription' } as const;

test('levels are percents of the prescription with their dose', () => {
  const [first, second] = levelsOf(given);

  expect([first?.text, first?.dose]).toEqual(['107% · 53.5 Gy', 53.5]);
  expect(second?.text).toBe('100% · 50.0 Gy');
});

test('without a prescription, levels are percents of the maximum', () => {
  expect(levelsOf({ ...given, prescription: undefined })[1]).toMatchObject({ dose: 54, text: '90% · 54.0 Gy' });
});

test('the legend names what 100 percent is', () => {
  expect(baseText(given)).toBe('Prescribed: 100% = 50.0 Gy');
  expect(baseText({ ...given, prescription: undefined })).toBe('Maximum: 100% = 60.0 Gy');
  expect(baseText({ ...given, unit: '', reference: 'maximum' })).toBe('Maximum: 100%');
  expect(baseText({ ...given, reference: 'absolute' })).toBe('');
});

test('absolute levels are round numbers up to the maximum', () => {
  const texts = levelsOf({ ...given, reference: 'absolute' }).map(({ text }) => text);

  expect(texts).toEqual(['60.0 Gy', '50.0 Gy', '40.0 Gy', '30.0 Gy', '20.0 Gy', '10.0 Gy']);
});

test('a relative dose has only percents of its maximum', () => {
  expect(levelsOf({ ...given, prescription: undefined, unit: '', reference: 'absolute' })[0]?.text).toBe('95%');
});
