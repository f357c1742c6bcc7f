import type { Plugin } from 'vite';

const counted = 'float fnumSlices = float(numSlices);';
const loop = 'while (distTraveled < slabThickness * 0.5)';

/**
 * Has a slab be as thick as was asked for. The shader of vtk.js (37.x) takes the number of samples so far for the number
 * of steps, but takes two samples a step, before the plane and behind it: it looked twice as far as it should, and
 * another way near the ends of the volume. Throws when the shader is not the one that was mended.
 */
export const withTrueSlabs = (code: string): string => {
  if (code.split(counted).length !== 2 || code.split(loop).length !== 2) {
    throw new Error(
      'vtk.js has another slab shader: see whether slabs are still twice as thick (web/build/mend-vtk.ts)',
    );
  }
  return code.replace(counted, 'slabStep += 1.0; float fnumSlices = slabStep;').replace(
    // In front of the loop: the lines of the shader are strings, one after the other.
    `"${loop}"`,
    `"float slabStep = 0.0;", "${loop}"`,
  );
};

const contextOptions = 'powerPreference: "high-performance"';

/**
 * Has each pixel be computed once. Asked for nothing, a browser keeps four samples of each (multisampling), for edges of
 * surfaces that we do not draw: pictures and volumes have none, and lines are SVG. Where a processor draws, as on a remote
 * desktop, this was half of the time from picture to picture. Throws when the options are not those that were mended.
 */
export const withSingleSamples = (code: string): string => {
  if (code.split(contextOptions).length !== 2) {
    throw new Error('vtk.js asks for its contexts in another way: see web/build/mend-vtk.ts');
  }
  return code.replace(contextOptions, `antialias: false, ${contextOptions}`);
};

const mends = [
  [/vtk\.js\/Rendering\/OpenGL\/ImageResliceMapper\.js/, withTrueSlabs],
  [/vtk\.js\/Rendering\/OpenGL\/RenderWindow\.js/, withSingleSamples],
] as const;

/** Mends what we know to be wrong in vtk.js. */
export const mendVtk = (): Plugin => ({
  name: 'mend-vtk',
  enforce: 'pre',
  transform: (code, id) => mends.find(([file]) => file.test(id))?.[1](code) ?? null,
});
