import type { Plugin } from 'vite';

const handler = 'export function getPromiseRemovedHandler(element) {';
const perViewport = [
  ['const state = {};', 'const state = new WeakMap();'],
  [
    'const { viewportId } = enabledElement;\n    state[viewportId] = data;',
    'state.set(enabledElement.viewport, data);',
  ],
  [
    'const { viewportId } = enabledElement;\n    return state[viewportId];',
    'return state.get(enabledElement.viewport);',
  ],
] as const;

const replacedOnce = (code: string, [before, after]: readonly [string, string]): string => {
  if (code.split(before).length !== 2) {
    throw new Error(
      'Cornerstone prefetches stacks in another way: see whether viewports that went away still stay (web/build/patch-prefetch.ts)',
    );
  }
  return code.replace(before, after);
};

/**
 * Gives each element a single listener for images that leave the cache. The stack prefetch (Cornerstone3D 5.14.0)
 * creates a new function on each call, so it never removes the listener that it has added. Therefore the element of
 * each viewport, its canvases and the page around it were never freed. Throws if the code has changed.
 */
export const withOneHandler = (code: string): string =>
  replacedOnce(code, [
    handler,
    `const handlers = new WeakMap();
${handler}
    if (!handlers.has(element)) handlers.set(element, promiseRemovedHandler(element));
    return handlers.get(element);
}
function promiseRemovedHandler(element) {`,
  ]);

/** Frees the prefetch state of a viewport when the viewport is freed. Throws if the code has changed. */
export const withStateOfViewports = (code: string): string => perViewport.reduce(replacedOnce, code);

/** Fixes known memory leaks of the stack prefetch. */
export const patchPrefetch = (): Plugin => ({
  name: 'mend-prefetch',
  enforce: 'pre',
  transform: (code, id) => {
    if (/tools\/dist\/esm\/utilities\/stackPrefetch\/stackPrefetchUtils\.js/.test(id)) return withOneHandler(code);
    return /tools\/dist\/esm\/utilities\/stackPrefetch\/state\.js/.test(id) ? withStateOfViewports(code) : null;
  },
});
