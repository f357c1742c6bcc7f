import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { numberPatches, withTrueNumbers } from '../build/patch-numbers.ts';

const { resolve: entryOf } = createRequire(import.meta.url);
const loader = entryOf('@cornerstonejs/dicom-image-loader');
const core = entryOf('@cornerstonejs/core');
const tools = entryOf('@cornerstonejs/tools');

/** Returns the path of an installed file of the imaging library. Default: of its image loader. */
export const placeOf = (file: string, of?: 'core' | 'tools'): URL =>
  new URL(file, `file://${of === 'core' ? core : of === 'tools' ? tools : loader}`);

/** Loads a module of the imaging library with the corrections of the build. */
export const built = async (file: string) => {
  const patch = numberPatches.find((numberPatch) => numberPatch.file === file);
  if (!patch) throw new Error(`${file} is not mended`);
  const place = placeOf(file, patch.of);
  const { resolve } = createRequire(place);
  const code = withTrueNumbers(readFileSync(place, 'utf8'), patch)
    .replaceAll(/from '(\.[^']+)'/g, (_, path) => `from '${new URL(path, place).href}'`)
    .replaceAll(/from "(\/[^"]+)"/g, (_, path) => `from '${pathToFileURL(path).href}'`)
    .replaceAll(
      /from '(comlink|gl-matrix|@cornerstonejs\/\w+|@kitware\/[\w./]+)'/g,
      (_, name) => `from '${pathToFileURL(resolve(name)).href}'`,
    );
  return import(`data:text/javascript,${encodeURIComponent(code)}`);
};
