import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compileMessages } from './build/compile-messages.ts';
import { compressAssets } from './build/compress-assets.ts';
import { emitCatalogs } from './build/emit-catalogs.ts';
import { patchDecoders } from './build/patch-decoders.ts';
import { patchMultipart } from './build/patch-multipart.ts';
import { patchNumbers } from './build/patch-numbers.ts';
import { patchSinks } from './build/patch-sinks.ts';
import { patchVtk } from './build/patch-vtk.ts';
import { nameScreenFiles } from './build/name-screen-files.ts';
import { reportSize, type Screen } from './build/report-size.ts';
import { trimVtk } from './build/trim-vtk.ts';
import { listParts, viewerStart } from './build/viewer-groups.ts';
import { withoutAudit } from './build/without-audit.ts';
import { withoutJsonSchema } from './build/without-json-schema.ts';

/** Codecs for images. They are CommonJS inside the decoding worker, so development must bundle each by name. */
const codecs = [
  'codec-libjpeg-turbo-8bit/decodewasmjs',
  'codec-charls/decodewasmjs',
  'codec-openjpeg/decodewasmjs',
  'codec-openjph/wasmjs',
  'codec-libjxl/decodewasmjs',
].map((codec) => `@cornerstonejs/dicom-image-loader > @cornerstonejs/${codec}`);

/**
 * Groups that put the code of every page, shared icons, controls of most screens, and code that lists share into one file
 * each. A browser without HTTP/2 loads six files at a time, and each file costs as much time as 20 kB.
 */
const fewFiles = [
  { name: 'app', tags: ['$initial' as const], priority: 4 },
  { name: 'icons', test: /@tabler[\\/]icons-react/, minShareCount: 2, priority: 3 },
  {
    name: 'controls',
    test: /@mantine[\\/](?:hooks[\\/]|core[\\/].*[\\/](?:Checkbox|InlineInput|Menu|NativeSelect|TextInput|create-scoped-keydown-handler)[\\/])/,
    minShareCount: 2,
    priority: 2,
  },
  viewerStart({ priority: 1 }),
  ...listParts({ priority: 0 }),
];

/** Viewers to measure, the standard viewer first. */
const viewers = [
  'src/reading/viewer/standard/study-viewer.tsx',
  'src/reading/viewer/mpr/mpr-viewer.tsx',
  'src/reading/viewer/fusion/fusion-viewer.tsx',
  'src/reading/viewer/ultrasound/ultrasound-viewer.tsx',
] as const;

const studyPage = ['src/app/pages/study-page.tsx', 'src/app/reports/report-workspace.tsx'] as const;

/** Screens whose first load has a limit (src/app/first-load.test.ts). */
const screens = [
  { name: 'study list', modules: ['src/app/pages/studies-page.tsx'] },
  { name: 'study page', modules: studyPage },
  {
    name: 'report editor',
    modules: [...studyPage, 'src/reading/editor/report-editor.tsx', 'src/app/reports/writing-tools.tsx'],
  },
  { name: 'viewer', modules: ['src/app/viewers/viewer-with-report.tsx', viewers[0]], hasDecoders: true },
] satisfies Screen[];

export default defineConfig({
  plugins: [
    compileMessages(),
    emitCatalogs(),
    withoutAudit(),
    withoutJsonSchema(),
    trimVtk(),
    patchVtk(),
    patchDecoders(),
    patchMultipart(),
    patchNumbers(),
    patchSinks(),
    react(),
    nameScreenFiles({
      first: 'src/reading/viewer/prefetch-viewer.ts',
      standard: viewers[0],
      studyList: 'src/app/pages/studies-page.tsx',
      studyPage: 'src/app/pages/study-page.tsx',
    }),
    compressAssets(),
    reportSize(screens, viewers),
  ],
  worker: { format: 'es', plugins: () => [trimVtk(), patchDecoders(), patchNumbers()] },
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    manifest: true,
    chunkSizeWarningLimit: 4000,
    rolldownOptions: {
      checks: { pluginTimings: false },
      output: { codeSplitting: { groups: fewFiles } },
    },
  },
  optimizeDeps: {
    rolldownOptions: { plugins: [trimVtk(), patchVtk(), patchNumbers()] },
    exclude: ['@cornerstonejs/dicom-image-loader'],
    include: ['dicom-parser', 'pako', 'comlink', 'uuid', ...codecs],
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8080', '/dicom-web': 'http://127.0.0.1:8080' } },
});
