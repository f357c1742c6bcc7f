import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compileMessages } from '../build/compile-messages.ts';

const web = resolve(import.meta.dirname, '..');

/**
 * Configuration of `npm run gallery`: all components of the kit, without a server. The production build does not
 * include the gallery.
 */
export default defineConfig({
  root: import.meta.dirname,
  publicDir: resolve(web, 'public'),
  cacheDir: resolve(web, 'node_modules/.vite-gallery'),
  plugins: [compileMessages(), react()],
  // Listed here, because otherwise Vite would find the file late and reload the page.
  optimizeDeps: { include: ['pdfjs-dist/build/pdf.worker.min.mjs'] },
  worker: { format: 'es' },
  server: { host: '127.0.0.1', port: 5174 },
});
