import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { withOneHandler, withStateOfViewports } from '../../../../../build/patch-prefetch.ts';

const tools = createRequire(import.meta.url).resolve('@cornerstonejs/tools');
const installed = (name: string): string =>
  readFileSync(new URL(`./utilities/stackPrefetch/${name}.js`, `file://${tools}`), 'utf8');

/** Imports the code as a module. The given enabled element replaces the only dependency of the code. */
const moduleOf = (code: string): Promise<Record<string, (...args: unknown[]) => unknown>> =>
  import(
    `data:text/javascript,${encodeURIComponent(`const getEnabledElement = (element) => element.enabled;${code.replaceAll(/^import .*$/gm, '').replaceAll('Enums.RequestType.Prefetch', '"prefetch"')}`)}`
  );

test('prefetching uses one listener for evicted images per element, and can remove it', async () => {
  const { getPromiseRemovedHandler: handlerOf } = await moduleOf(withOneHandler(installed('stackPrefetchUtils')));
  const [one, other] = [{}, {}];

  expect(handlerOf?.(one)).toBeInstanceOf(Function);
  expect(handlerOf?.(one)).toBe(handlerOf?.(one));
  expect(handlerOf?.(one)).not.toBe(handlerOf?.(other));
});

test('the state of prefetching is found by viewport, not by viewport ID', async () => {
  const { addToolState, getToolState } = await moduleOf(withStateOfViewports(installed('state')));
  const elementOf = (viewport: object) => ({ enabled: { viewport, viewportId: 'view-box-1-1' } });
  const [viewport, state] = [{}, { indicesToRequest: [1] }];

  addToolState?.(elementOf(viewport), state);

  expect(getToolState?.(elementOf(viewport))).toBe(state);
  expect(getToolState?.(elementOf({}))).toBeUndefined();
});

test('unknown prefetch code stops the build', () => {
  expect(() =>
    withOneHandler(installed('stackPrefetchUtils').replace('RemovedHandler(element) {', 'RemovedHandler(viewport) {')),
  ).toThrow('in another way');
  expect(() => withStateOfViewports(installed('state').replace('const state = {}', 'const state = []'))).toThrow(
    'in another way',
  );
});
