import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { withMissingSlices, withTrueSlabs } from '../../../../build/patch-vtk.ts';

const installed = (): string =>
  readFileSync(
    createRequire(import.meta.url).resolve('@kitware/vtk.js/Rendering/OpenGL/ImageResliceMapper.js'),
    'utf8',
  );

test('the build patches the installed slab shader to count steps instead of samples', () => {
  const patched = withTrueSlabs(installed());

  const start = patched.indexOf('float slabStep = 0.0;');
  expect(start).toBeGreaterThan(0);
  expect(start).toBeLessThan(patched.indexOf('while (distTraveled'));
  expect(patched).toContain('slabStep += 1.0; float fnumSlices = slabStep;');
});

test('the build patches the installed slab shader to take each sample from voxels without padding', () => {
  const patched = withTrueSlabs(installed());

  const declared = patched.indexOf('bool countedSample(vec3 worldPos');
  expect(declared).toBeGreaterThan(patched.indexOf('vec4 rawSampleTexture(vec3 worldPos)'));
  expect(patched.split('countedSample(').length - 1).toBe(4);
  expect(patched).toContain('program.setUniform2fv("paddingRange"');
});

test('an unknown slab shader stops the build', () => {
  expect(() => withTrueSlabs(installed().replace('float(numSlices)', 'float(steps)'))).toThrow('another slab shader');
});

test('the build patches the installed shader to hatch what lies nearest to a missing slice, in planes and slabs', () => {
  const patched = withMissingSlices(withTrueSlabs(installed()));

  const declared = patched.indexOf('vec3 arrivedPlace(vec3 place)');
  expect(declared).toBeGreaterThan(0);
  expect(declared).toBeLessThan(patched.indexOf('vec4 rawSampleTexture(vec3 worldPos)'));
  expect(declared).toBeLessThan(patched.indexOf('bool countedSample(vec3 worldPos'));
  // The declaration, a single plane, and a slab that leaves padding out.
  expect(patched.split('arrivedPlace(').length - 1).toBe(3);
  expect(patched.split('if (isMissing) { gl_FragData[0] = missingColor(').length - 1).toBe(2);
  expect(patched).toContain('program.setUniform4iv("slicesArrived", arrived)');
});

test('an unknown shader for planes stops the build', () => {
  expect(() => withMissingSlices(installed().replaceAll('rawSampleTexture', 'sampleTexture'))).toThrow(
    'samples volumes in another way',
  );
});
