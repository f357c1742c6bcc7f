import { expect, test } from 'vitest';
import { preloadViewerScripts } from './preload-viewer-scripts.ts';

test('fetches the scripts that the page names once and does not run them', () => {
  document.head.innerHTML = '<meta name="viewer-files" content="assets/viewer-1.js assets/library-2.js">';

  preloadViewerScripts();
  preloadViewerScripts();

  const links = [...document.head.querySelectorAll('link')];
  expect(links.map(({ rel, href }) => [rel, new URL(href).pathname])).toEqual([
    ['modulepreload', '/assets/viewer-1.js'],
    ['modulepreload', '/assets/library-2.js'],
  ]);
});
