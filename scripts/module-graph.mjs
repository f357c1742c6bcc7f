// npm run graph: draws modules and features of the server from their imports into docs/architecture/modules.md.
//
//   npm run graph              Writes the page.
//   npm run graph -- --check   Fails if an import runs back, if features import each other in a circle, or if the page
//                              is not current. `npm run check` includes it.
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { modules } from '../server/src/modules.ts';
import { drawing } from './modules/drawing.mjs';
import {
  arrowsOf,
  faultsOfCircles,
  faultsOfContract,
  faultsOfFolders,
  faultsOfImports,
  faultsOfScreens,
} from './modules/graph.mjs';
import { codeFiles, readImports } from './modules/imports.mjs';

const root = resolve(import.meta.dirname, '..');
const source = resolve(root, 'server/src');
const page = resolve(root, 'docs/architecture/modules.md');

const imports = readImports(source);
const files = codeFiles(source);
const drawn = drawing(modules, imports, files);
const isCheck = process.argv.includes('--check');
if (!isCheck) writeFileSync(page, drawn);

const faults = [
  ...faultsOfFolders(modules, files),
  ...faultsOfImports(modules, imports),
  ...faultsOfCircles(arrowsOf(imports)),
  ...faultsOfContract(modules, readImports(resolve(root, 'contract/src'))),
  ...faultsOfScreens(modules, readImports(resolve(root, 'web/src'))),
  ...(readFileSync(page, 'utf8') === drawn ? [] : ['docs/architecture/modules.md is not current: run npm run graph']),
];
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
