import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressAssets } from './build/compress-assets.ts';
import { reportSize } from './build/report-size.ts';
import { trimVtk } from './build/trim-vtk.ts';

/** The image codecs are CommonJS inside the decoding worker: development must bundle each by name (design/viewer.md §4). */
const codecs = [
  'codec-libjpeg-turbo-8bit/decodewasmjs',
  'codec-charls/decodewasmjs',
  'codec-openjpeg/decodewasmjs',
  'codec-openjph/wasmjs',
  'codec-libjxl/decodewasmjs',
].map((codec) => `@cornerstonejs/dicom-image-loader > @cornerstonejs/${codec}`);

export default defineConfig({
  plugins: [trimVtk(), react(), compressAssets(), reportSize('src/app/studies-page.tsx')],
  worker: { format: 'es', plugins: () => [trimVtk()] },
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    manifest: true,
    chunkSizeWarningLimit: 4000,
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  optimizeDeps: {
    rolldownOptions: { plugins: [trimVtk()] },
    exclude: ['@cornerstonejs/dicom-image-loader'],
    include: ['dicom-parser', 'pako', 'comlink', 'uuid', ...codecs],
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8080', '/dicom-web': 'http://127.0.0.1:8080' } },
});
