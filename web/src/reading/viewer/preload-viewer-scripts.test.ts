import { expect, test } from 'vitest';
import { preloadViewerScripts } from './preload-viewer-scripts.ts';

test('the scripts that the page names are fetched once and not run', () => {
  document.head.innerHTML = '<meta name="viewer-files" content="assets/viewer-1.js assets/library-2.js">';

  preloadViewerScripts();
  preloadViewerScripts();

  const links = [...document.head.querySelectorAll('link')];
  expect(links.map(({ rel, href }) => [rel, new URL(href).pathname])).toEqual([
    ['modulepreload', '/assets/viewer-1.js'],
    ['modulepreload', '/assets/library-2.js'],
  ]);
});
