import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const core = (file: string): string =>
  JSON.stringify(fileURLToPath(new URL(`../src/core/browser/${file}`, import.meta.url)));

type SinkPatch = { file: RegExp; before: string; after: string; imports?: string };

const asText = { before: 'dangerouslySetInnerHTML: { __html: css }', after: 'children: css' };

/** Places where libraries pass text to the browser as HTML or as a script URL. Each has its replacement. */
export const sinks: readonly SinkPatch[] = [
  { file: /@mantine\/core\/esm\/core\/InlineStyles\/InlineStyles\.mjs/, ...asText },
  {
    file: /@mantine\/core\/esm\/core\/MantineProvider\/MantineClasses\/MantineClasses\.mjs/,
    before: 'dangerouslySetInnerHTML: { __html: classes }',
    after: 'children: classes',
  },
  {
    file: /@mantine\/core\/esm\/core\/MantineProvider\/MantineCssVariables\/MantineCssVariables\.mjs/,
    before:
      'dangerouslySetInnerHTML: { __html: `${css}${shouldCleanVariables ? "" : getColorSchemeCssVariables(cssVariablesSelector)}` }',
    after: 'children: `${css}${shouldCleanVariables ? "" : getColorSchemeCssVariables(cssVariablesSelector)}`',
  },
  {
    file: /@tiptap\/core\/dist\/index\.js/,
    before: 'new window.DOMParser().parseFromString(wrappedValue, "text/html")',
    after: 'inertDocument(wrappedValue)',
    imports: `import { inertDocument } from ${core('inert-document.ts')};`,
  },
  {
    file: /@cornerstonejs\/dicom-image-loader\/dist\/esm\/init\.js/,
    before: "new Worker(new URL('./decodeImageFrameWorker.js', import.meta.url), { type: 'module' })",
    after: 'startWorker(decoder)',
    imports: `import { startWorker } from ${core('start-worker.ts')}; import decoder from './decodeImageFrameWorker.js?worker&url';`,
  },
];

/**
 * Makes library code comply with the Trusted Types of our content security policy (decision 0055). Throws if the code
 * of the library has changed.
 */
export const withoutSink = (code: string, { before, after, imports = '' }: SinkPatch): string => {
  if (code.split(before).length !== 2) {
    throw new Error(
      `A library hands text to the browser in another way than "${before}": see whether the page still works under Trusted Types (web/build/patch-sinks.ts)`,
    );
  }
  return imports + code.replace(before, () => after);
};

/** Replaces library code that our content security policy would block. */
export const patchSinks = (): Plugin => ({
  name: 'mend-sinks',
  enforce: 'pre',
  transform: (code, id) => {
    const sink = sinks.find(({ file }) => file.test(id));
    return sink ? withoutSink(code, sink) : null;
  },
});
