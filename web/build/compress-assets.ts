import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const compressible = /\.(js|css|svg|wasm)$/;

/** Writes a .br and a .gz beside each asset, once, so that the server never compresses them again. */
export const compressAssets = (): Plugin => ({
  name: 'compress-assets',
  apply: 'build',
  writeBundle: async ({ dir = '' }) => {
    const assets = join(dir, 'assets');
    for (const name of (await readdir(assets)).filter((file) => compressible.test(file))) {
      const bytes = await readFile(join(assets, name));
      const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
      await writeFile(join(assets, `${name}.br`), brotliCompressSync(bytes, { params }));
      await writeFile(join(assets, `${name}.gz`), gzipSync(bytes, { level: 9 }));
    }
  },
});
