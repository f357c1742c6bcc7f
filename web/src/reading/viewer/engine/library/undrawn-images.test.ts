import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { withUndrawnImages } from '../../../../../build/patch-vtk.ts';

const installed = (): string =>
  readFileSync(createRequire(import.meta.url).resolve('@kitware/vtk.js/Rendering/OpenGL/ImageMapper.js'), 'utf8');

test('the build lets vtk.js remove an image without a texture', () => {
  expect(withUndrawnImages(installed())).toContain('model.openGLTexture?.releaseGraphicsResources(renderWindow);');
});

test('the build stops when vtk.js releases textures in another way', () => {
  expect(() => withUndrawnImages(installed().replaceAll('openGLTexture', 'texture'))).toThrow('patch-vtk.ts');
});
