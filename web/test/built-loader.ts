import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { mends, withTrueNumbers } from '../build/mend-numbers.ts';

const loader = createRequire(import.meta.url).resolve('@cornerstonejs/dicom-image-loader');

/** Where a module of the image loader is installed. */
export const placeOf = (file: string): URL => new URL(file, `file://${loader}`);

/** A module of the image loader as it is built, loaded from where it is installed. */
export const built = async (file: string) => {
  const mend = mends.find((one) => one.file === file);
  if (!mend) throw new Error(`${file} is not mended`);
  const place = placeOf(file);
  const { resolve } = createRequire(place);
  const code = withTrueNumbers(readFileSync(place, 'utf8'), mend)
    .replaceAll(/from '(\.[^']+)'/g, (_, path) => `from '${new URL(path, place).href}'`)
    .replaceAll(/from "(\/[^"]+)"/g, (_, path) => `from '${pathToFileURL(path).href}'`)
    .replaceAll(/from '(comlink|@cornerstonejs\/\w+)'/g, (_, name) => `from '${pathToFileURL(resolve(name)).href}'`);
  return import(`data:text/javascript,${encodeURIComponent(code)}`);
};
