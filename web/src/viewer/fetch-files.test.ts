import { expect, test } from 'vitest';
import { fetchViewerFiles } from './fetch-files.ts';

test('the scripts that the page names are fetched once, and not evaluated', () => {
  document.head.innerHTML = '<meta name="viewer-files" content="assets/viewer-1.js assets/library-2.js">';

  fetchViewerFiles();
  fetchViewerFiles();

  const links = [...document.head.querySelectorAll('link')];
  expect(links.map(({ rel, href }) => [rel, new URL(href).pathname])).toEqual([
    ['modulepreload', '/assets/viewer-1.js'],
    ['modulepreload', '/assets/library-2.js'],
  ]);
});
