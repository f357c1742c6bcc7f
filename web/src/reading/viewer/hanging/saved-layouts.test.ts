import { expect, test } from 'vitest';
import {
  noCachedLayouts,
  parseCachedLayouts,
  withSent,
  withLayout,
  withServerLayouts,
  serializeCachedLayouts,
} from './saved-layouts.ts';

const knee = { layout: '2x2', roles: ['PD sagittal', 'T1'] } as const;
const head = { layout: '1x2', roles: ['T2 axial'] } as const;
const chest = { kind: 'CT chest', layout: '1x1' as const, roles: ['CT'] };

test('reads back what it wrote', () => {
  const all = withLayout(noCachedLayouts, 'MR knee', knee);

  expect(parseCachedLayouts(serializeCachedLayouts(all))).toEqual({ kept: { 'MR knee': knee }, unsent: ['MR knee'] });
});

test.each(['', 'nonsense', '{"kept":{"MR":{"layout":"9x9","roles":[]}},"unsent":[]}', '{"kept":{}}'])(
  'reads nothing from %o',
  (text) => {
    expect(parseCachedLayouts(text)).toEqual(noCachedLayouts);
  },
);

test('replaces local layouts by those of the server and drops those deleted elsewhere', () => {
  const told = withSent(withLayout(noCachedLayouts, 'MR knee', knee), 'MR knee', knee);

  expect(withServerLayouts(told, [chest]).kept).toEqual({ 'CT chest': { layout: '1x1', roles: ['CT'] } });
});

test('keeps local changes, saved or deleted, that were not sent yet', () => {
  const kept = withLayout(noCachedLayouts, 'MR knee', knee);
  const both = withLayout(kept, 'CT chest', undefined);

  const merged = withServerLayouts(both, [chest, { kind: 'MR knee', ...head, roles: ['FLAIR'] }]);

  expect(merged).toEqual({ kept: { 'MR knee': knee }, unsent: ['MR knee', 'CT chest'] });
});

test('sends a layout again that changed during the request', () => {
  const first = withLayout(noCachedLayouts, 'MR knee', knee);
  const again = withLayout(first, 'MR knee', head);

  expect(withSent(again, 'MR knee', knee).unsent).toEqual(['MR knee']);
  expect(withSent(again, 'MR knee', head).unsent).toEqual([]);
});
