// npm run new-feature MODULE NAME: writes the skeleton of a noun on all three sides. MODULE is one of
// server/src/modules.ts; NAME is plural and in kebab-case: imaging scanners.
//
// CONTRIBUTING.md, "Adding a noun", says what to decide in each file.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root, run, withPinnedNode } from './workspace.mjs';

try {
  if (!existsSync(join(root, 'node_modules'))) throw new Error('Run npm ci first.');
  // Loads TypeScript, which a Node older than the pinned one cannot.
  const { generated, writeFeature } = await import('./new-feature/skeleton.mjs');
  const { made, changed } = writeFeature(root, process.argv[2] ?? '', process.argv[3] ?? '');
  run('oxfmt', [...made.filter((path) => !path.endsWith('.sql')), ...changed], withPinnedNode());
  run('npm', ['run', 'schema'], withPinnedNode());
  run('npm', ['run', 'messages', '-w', 'web'], withPinnedNode());
  run('npm', ['run', 'graph'], withPinnedNode());
  console.log(`New:\n  ${made.join('\n  ')}\nChanged:\n  ${[...changed, generated].join('\n  ')}`);
  console.log(`Now run: ACCESS_MATRIX_OF=${process.argv[3]} npm test -- server/src/access-matrix.test.ts`);
  console.log('It prints the lines of the access matrix. Judge each, and copy it to feature.samples.ts.');
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
