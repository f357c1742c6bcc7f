import type { Plugin } from 'vite';

const counted = 'float fnumSlices = float(numSlices);';
const loop = 'while (distTraveled < slabThickness * 0.5)';

/**
 * Gives slabs the requested thickness. The shader of vtk.js (37.x) counts samples as steps, but takes two samples per
 * step, one on each side of the plane. So slabs were twice as thick, and differed near the ends of the volume. Throws
 * if the shader has changed.
 */
export const withTrueSlabs = (code: string): string => {
  if (code.split(counted).length !== 2 || code.split(loop).length !== 2) {
    throw new Error(
      'vtk.js has another slab shader: see whether slabs are still twice as thick (web/build/patch-vtk.ts)',
    );
  }
  return code.replace(counted, 'slabStep += 1.0; float fnumSlices = slabStep;').replace(
    // Inserts code before the loop. Each line of the shader is a separate string.
    `"${loop}"`,
    `"float slabStep = 0.0;", "${loop}"`,
  );
};

const contextOptions = 'powerPreference: "high-performance"';

/**
 * Computes each pixel once. By default, a browser takes four samples per pixel (multisampling) to smooth the edges of
 * surfaces. The viewer draws no surfaces: images and volumes have none, and lines are SVG. Without a graphics card, as
 * on a remote desktop, multisampling took half of the frame time. Throws if the options have changed.
 */
export const withSingleSamples = (code: string): string => {
  if (code.split(contextOptions).length !== 2) {
    throw new Error('vtk.js asks for its contexts in another way: see web/build/patch-vtk.ts');
  }
  return code.replace(contextOptions, `antialias: false, ${contextOptions}`);
};

const mends = [
  [/vtk\.js\/Rendering\/OpenGL\/ImageResliceMapper\.js/, withTrueSlabs],
  [/vtk\.js\/Rendering\/OpenGL\/RenderWindow\.js/, withSingleSamples],
] as const;

/** Corrects known errors of vtk.js. */
export const patchVtk = (): Plugin => ({
  name: 'mend-vtk',
  enforce: 'pre',
  transform: (code, id) => mends.find(([file]) => file.test(id))?.[1](code) ?? null,
});
