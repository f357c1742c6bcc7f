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
      'Cornerstone prefetches stacks in another way: see whether viewports that went away still stay (web/build/mend-prefetch.ts)',
    );
  }
  return code.replace(before, after);
};

/**
 * Has an element have one listener for images that leave the cache. The prefetching of stacks (Cornerstone3D 5.14.0) makes
 * another one each time it is asked, so what it removes was never added: the element of each viewport stayed for ever, with
 * its canvases and all of the page around it. Throws when the code is not the one that was mended.
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

/** Has what is prefetched for a viewport go with it. Throws when the code is not the one that was mended. */
export const withStateOfViewports = (code: string): string => perViewport.reduce(replacedOnce, code);

/** Mends what we know to be kept for ever by the prefetching of stacks. */
export const mendPrefetch = (): Plugin => ({
  name: 'mend-prefetch',
  enforce: 'pre',
  transform: (code, id) => {
    if (/tools\/dist\/esm\/utilities\/stackPrefetch\/stackPrefetchUtils\.js/.test(id)) return withOneHandler(code);
    return /tools\/dist\/esm\/utilities\/stackPrefetch\/state\.js/.test(id) ? withStateOfViewports(code) : null;
  },
});
