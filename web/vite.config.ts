import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compileMessages } from './build/compile-messages.ts';
import { compressAssets } from './build/compress-assets.ts';
import { emitCatalogs } from './build/emit-catalogs.ts';
import { patchDecoders } from './build/patch-decoders.ts';
import { patchNumbers } from './build/patch-numbers.ts';
import { patchPrefetch } from './build/patch-prefetch.ts';
import { patchSinks } from './build/patch-sinks.ts';
import { patchVtk } from './build/patch-vtk.ts';
import { nameViewerFiles } from './build/name-viewer-files.ts';
import { reportSize } from './build/report-size.ts';
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
 * Groups that put the code of every page into one file, code that lists share into another, and further shared icons
 * into a third. A browser without HTTP/2 loads six files at a time, and each file costs as much time as 20 kB. The order
 * gives each file only the icons that its modules need.
 */
const fewFiles = [
  { name: 'app', tags: ['$initial' as const], priority: 3 },
  viewerStart({ priority: 2 }),
  listParts({ priority: 1 }),
  { name: 'icons', test: /@tabler[\\/]icons-react/, minShareCount: 2, priority: 0 },
];

/** Viewers to measure, the standard viewer first. */
const viewers = [
  'src/reading/viewer/standard/study-viewer.tsx',
  'src/reading/viewer/mpr/mpr-viewer.tsx',
  'src/reading/viewer/fusion/fusion-viewer.tsx',
  'src/reading/viewer/ultrasound/ultrasound-viewer.tsx',
] as const;

export default defineConfig({
  plugins: [
    compileMessages(),
    emitCatalogs(),
    withoutAudit(),
    withoutJsonSchema(),
    trimVtk(),
    patchVtk(),
    patchDecoders(),
    patchNumbers(),
    patchPrefetch(),
    patchSinks(),
    react(),
    nameViewerFiles({ first: 'src/reading/viewer/prefetch-viewer.ts', standard: viewers[0] }),
    compressAssets(),
    reportSize('src/app/pages/studies-page.tsx', viewers),
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
    rolldownOptions: { plugins: [trimVtk(), patchVtk(), patchNumbers(), patchPrefetch()] },
    exclude: ['@cornerstonejs/dicom-image-loader'],
    include: ['dicom-parser', 'pako', 'comlink', 'uuid', ...codecs],
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8080', '/dicom-web': 'http://127.0.0.1:8080' } },
});
