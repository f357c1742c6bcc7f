import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { withSingleSamples } from '../../../../../build/patch-vtk.ts';

const installed = (): string =>
  readFileSync(createRequire(import.meta.url).resolve('@kitware/vtk.js/Rendering/OpenGL/RenderWindow.js'), 'utf8');

test('the patched library requests its graphics context without antialiasing', () => {
  expect(withSingleSamples(installed())).toMatch(
    /get3DContext = \(options = \{[^}]*antialias: false, powerPreference: "high-performance"\s*\}/,
  );
});

test('library code that requests its graphics contexts in another way stops the build', () => {
  const other = installed().replace('powerPreference: "high-performance"', 'powerPreference: "low-power"');
  expect(() => withSingleSamples(other)).toThrow('asks for its contexts in another way');
});
