import { expect, test } from 'vitest';
import {
  nothingRemembered,
  readRemembered,
  whenTold,
  withLayout,
  withServers,
  writeRemembered,
} from './kept-layouts.ts';

const knee = { layout: '2x2', roles: ['PD sagittal', 'T1'] } as const;
const head = { layout: '1x2', roles: ['T2 axial'] } as const;
const chest = { kind: 'CT chest', layout: '1x1' as const, roles: ['CT'] };

test('reads back what it wrote', () => {
  const all = withLayout(nothingRemembered, 'MR knee', knee);

  expect(readRemembered(writeRemembered(all))).toEqual({ kept: { 'MR knee': knee }, unsent: ['MR knee'] });
});

test.each(['', 'nonsense', '{"kept":{"MR":{"layout":"9x9","roles":[]}},"unsent":[]}', '{"kept":{}}'])(
  'reads nothing from %o',
  (text) => {
    expect(readRemembered(text)).toEqual(nothingRemembered);
  },
);

test('replaces local layouts by those of the server and drops those deleted elsewhere', () => {
  const told = whenTold(withLayout(nothingRemembered, 'MR knee', knee), 'MR knee', knee);

  expect(withServers(told, [chest]).kept).toEqual({ 'CT chest': { layout: '1x1', roles: ['CT'] } });
});

test('keeps local changes, saved or deleted, that were not sent yet', () => {
  const kept = withLayout(nothingRemembered, 'MR knee', knee);
  const both = withLayout(kept, 'CT chest', undefined);

  const merged = withServers(both, [chest, { kind: 'MR knee', ...head, roles: ['FLAIR'] }]);

  expect(merged).toEqual({ kept: { 'MR knee': knee }, unsent: ['MR knee', 'CT chest'] });
});

test('sends a layout again that changed during the request', () => {
  const first = withLayout(nothingRemembered, 'MR knee', knee);
  const again = withLayout(first, 'MR knee', head);

  expect(whenTold(again, 'MR knee', knee).unsent).toEqual(['MR knee']);
  expect(whenTold(again, 'MR knee', head).unsent).toEqual([]);
});
