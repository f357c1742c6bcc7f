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

test('a saved layout is read as it was written', () => {
  const all = withLayout(noCachedLayouts, 'MR knee', knee);

  expect(parseCachedLayouts(serializeCachedLayouts(all))).toEqual({ kept: { 'MR knee': knee }, unsent: ['MR knee'] });
});

test.each(['', 'nonsense', '{"kept":{"MR":{"layout":"9x9","roles":[]}},"unsent":[]}', '{"kept":{}}'])(
  'the invalid saved layout %o is ignored',
  (text) => {
    expect(parseCachedLayouts(text)).toEqual(noCachedLayouts);
  },
);

test('layouts from the server replace local ones, and layouts deleted elsewhere disappear', () => {
  const sent = withSent(withLayout(noCachedLayouts, 'MR knee', knee), 'MR knee', knee);

  expect(withServerLayouts(sent, [chest]).kept).toEqual({ 'CT chest': { layout: '1x1', roles: ['CT'] } });
});

test('an answer of the server does not undo local layout changes that are not sent yet', () => {
  const cached = withLayout(noCachedLayouts, 'MR knee', knee);
  const both = withLayout(cached, 'CT chest', undefined);

  const merged = withServerLayouts(both, [chest, { kind: 'MR knee', ...head, roles: ['FLAIR'] }]);

  expect(merged).toEqual({ kept: { 'MR knee': knee }, unsent: ['MR knee', 'CT chest'] });
});

test('a layout that changed during its request is sent again', () => {
  const first = withLayout(noCachedLayouts, 'MR knee', knee);
  const again = withLayout(first, 'MR knee', head);

  expect(withSent(again, 'MR knee', knee).unsent).toEqual(['MR knee']);
  expect(withSent(again, 'MR knee', head).unsent).toEqual([]);
});
