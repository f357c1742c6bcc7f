import { resolve } from 'node:path';
import type { Plugin } from 'vite';

const counted = 'float fnumSlices = float(numSlices);';
const loop = 'while (distTraveled < slabThickness * 0.5)';
const uniforms = '"uniform vec3 vboScaling;"';
const sampled = (side: string): string =>
  [
    `vec4 newVal = rawSampleTexture(worldPos${side});`,
    'tvalue = compositeValue(tvalue, newVal, trapezoid);',
    'numSlices += 1;',
  ]
    .map((line) => `"    ${line}"`)
    .join(',\n\t\t\t');
const mean = 'tvalue = tvalue / float(numSlices);';
const properties = 'program.setUniformf("opacity", opacity);';

/** Writes each line of a shader as a separate string. */
const lines = (code: string): string =>
  code
    .trim()
    .split('\n')
    .map((line) => JSON.stringify(line))
    .join(', ');

/**
 * Samples a slab like linear filtering, from the voxels without padding only. False if padding has more than half of
 * the weight. `paddingRange` is in units of the texture. Without padding, its first value exceeds its second.
 */
const countedSample = `
uniform vec2 paddingRange;
bool countedSample(vec3 worldPos, out vec4 value)
{
  if (paddingRange.x > paddingRange.y) { value = rawSampleTexture(worldPos); return true; }
  vec3 place = arrivedPlace((WCTCMatrix0 * vec4(worldPos, 1.0)).xyz) * vec3(textureSize(volumeTexture[0], 0)) - 0.5;
  vec3 share = place - floor(place);
  ivec3 last = textureSize(volumeTexture[0], 0) - 1;
  float sum = 0.0;
  float weight = 0.0;
  for (int corner = 0; corner < 8; corner++)
  {
    ivec3 side = ivec3(corner & 1, (corner >> 1) & 1, (corner >> 2) & 1);
    float voxel = texelFetch(volumeTexture[0], clamp(ivec3(floor(place)) + side, ivec3(0), last), 0).r;
    vec3 near = mix(1.0 - share, share, vec3(side));
    bool isPadding = voxel >= paddingRange.x && voxel <= paddingRange.y;
    float part = isPadding ? 0.0 : near.x * near.y * near.z;
    sum += isPadding ? 0.0 : part * voxel;
    weight += part;
  }
  value = vec4(weight > 0.0 ? sum / weight : 0.0, 0.0, 0.0, 1.0);
  return weight >= 0.5;
}`;

/** A line of sight that meets only padding shows it, as a single plane does. */
const start = `
float slabStep = 0.0;
vec4 middleVal;
if (countedSample(fragWorldPos, middleVal)) { tvalue = middleVal; } else { numSlices = 0; }`;

const countedStep = (side: string): string => `
    vec4 newVal;
    if (countedSample(worldPos${side}, newVal))
    {
      tvalue = numSlices == 0 ? newVal : compositeValue(tvalue, newVal, trapezoid);
      numSlices += 1;
    }`;

const givePadding = `
		if (program.isUniformUsed("paddingRange")) program.setUniform2fv("paddingRange", paddingInTexture(model.currentValidInputs[0].imageData, model.renderable.getSlabType(), model.scalarTextures));`;

/**
 * Gives slabs the requested thickness, and leaves padding out of them (PS3.3 §C.7.5.1.1.2). The shader of vtk.js (37.x)
 * counts samples as steps, but takes two samples per step, one on each side of the plane. So slabs were twice as thick,
 * and differed near the ends of the volume. It also mixes padding into its samples. Throws if the shader has changed.
 */
export const withTrueSlabs = (code: string): string => {
  const changes = [
    [counted, 'slabStep += 1.0; float fnumSlices = slabStep;'],
    [`"${loop}"`, `${lines(start)}, "${loop}"`],
    // Declares the function after those that it calls.
    [uniforms, `${uniforms}, ${lines(countedSample)}`],
    [sampled('Neg'), lines(countedStep('Neg'))],
    [sampled('Pos'), lines(countedStep('Pos'))],
    [mean, 'tvalue = tvalue / float(max(numSlices, 1));'],
    [properties, `${properties}${givePadding}`],
  ] as const;
  return changes.reduce(
    (changed, [before, after]) => {
      if (changed.split(before).length !== 2) {
        throw new Error(
          'vtk.js has another slab shader: see whether slabs are still twice as thick (web/build/patch-vtk.ts)',
        );
      }
      return changed.replace(before, () => after);
    },
    `import { paddingInTexture } from ${JSON.stringify(resolve(import.meta.dirname, '../src/reading/viewer/volumes/slab-padding.ts'))};\n${code}`,
  );
};

const sampling = 'tcoordFSDec.push("vec4 rawSampleTexture(vec3 worldPos) {");';
const singleSample = '"vec3 tc0 = (WCTCMatrix0 * vec4(worldPos, 1.0)).xyz;", "return texture(volumeTexture[0], tc0);"';
const independent = '"gl_FragData[0] = vec4(tcolor0.rgb, compWeight0 * opacity);"';
const dependent = '"gl_FragData[0] = vec4(tcolor, scalarOpacity * opacity);"';

/**
 * Finds where a volume whose slices are still arriving is sampled. A place nearest to a slice that has arrived is drawn
 * from this slice alone if its neighbor is missing, because absent voxels must not be mixed in. A place nearest to a
 * missing slice is hatched, and so is each line of sight through a slab with a missing slice. The hatch of a layer over
 * another leaves the lower layer visible.
 */
const arrivedPlace = `
uniform int slicesExpected;
uniform ivec4 slicesArrived[32];
bool isMissing = false;
bool hasArrived(int slice)
{
  return ((slicesArrived[slice / 128][(slice / 32) % 4] >> (slice % 32)) & 1) == 1;
}
vec3 arrivedPlace(vec3 place)
{
  if (slicesExpected == 0) { return place; }
  if (slicesExpected > 4096) { isMissing = true; return place; }
  float along = place.z * float(slicesExpected) - 0.5;
  int last = slicesExpected - 1;
  int nearest = clamp(int(floor(along + 0.5)), 0, last);
  int below = clamp(int(floor(along)), 0, last);
  int above = clamp(int(floor(along)) + 1, 0, last);
  if (!hasArrived(nearest)) { isMissing = true; }
  else if (!hasArrived(below) || !hasArrived(above)) { place.z = (float(nearest) + 0.5) / float(slicesExpected); }
  return place;
}
vec4 missingColor(float alpha)
{
  bool isStripe = mod(gl_FragCoord.x + gl_FragCoord.y, 12.0) < 2.0;
  if (isStripe) { return vec4(0.23, 0.29, 0.36, max(alpha, 0.5)); }
  return alpha < 0.999 ? vec4(0.0) : vec4(0.05, 0.07, 0.1, alpha);
}`;

const hatched = (alpha: string): string =>
  JSON.stringify(`if (isMissing) { gl_FragData[0] = missingColor(${alpha}); }`);

const giveSlices = `
		if (program.isUniformUsed("slicesExpected")) {
			const { expected, arrived } = slicesInTexture(model.scalarTextures[0]);
			program.setUniformi("slicesExpected", expected);
			if (expected > 0) program.setUniform4iv("slicesArrived", arrived);
		}`;

/**
 * Hatches the slices of a volume that the graphics card does not hold yet, because their voxels would look like a finding.
 * Throws if the shader has changed.
 */
export const withMissingSlices = (code: string): string => {
  const changes = [
    [sampling, `tcoordFSDec.push(${lines(arrivedPlace)});\n\t\t${sampling}`],
    [singleSample, '"return texture(volumeTexture[0], arrivedPlace((WCTCMatrix0 * vec4(worldPos, 1.0)).xyz));"'],
    [independent, `${independent}, ${hatched('compWeight0 * opacity')}`],
    [dependent, `${dependent}, ${hatched('scalarOpacity * opacity')}`],
    [properties, `${properties}${giveSlices}`],
  ] as const;
  return changes.reduce(
    (changed, [before, after]) => {
      if (changed.split(before).length !== 2) {
        throw new Error(
          'vtk.js samples volumes in another way: see whether missing slices are hatched (web/build/patch-vtk.ts)',
        );
      }
      return changed.replace(before, () => after);
    },
    `import { slicesInTexture } from ${JSON.stringify(resolve(import.meta.dirname, '../src/reading/viewer/volumes/uploaded-slices.ts'))};\n${code}`,
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

const release = 'model.openGLTexture.releaseGraphicsResources(renderWindow);';

/**
 * Lets an image be removed that the graphics card has never drawn, as one that the processor draws
 * (engine/stack/processor-drawing.ts). Throws if the release of textures has changed.
 */
export const withUndrawnImages = (code: string): string => {
  if (code.split(release).length !== 2) {
    throw new Error('vtk.js releases the texture of an image in another way: see web/build/patch-vtk.ts');
  }
  return code.replace(release, release.replace('openGLTexture.', 'openGLTexture?.'));
};

const mends = [
  [/vtk\.js\/Rendering\/OpenGL\/ImageMapper\.js/, withUndrawnImages],
  [/vtk\.js\/Rendering\/OpenGL\/ImageResliceMapper\.js/, (code: string) => withMissingSlices(withTrueSlabs(code))],
  [/vtk\.js\/Rendering\/OpenGL\/RenderWindow\.js/, withSingleSamples],
] as const;

/** Corrects known errors of vtk.js. */
export const patchVtk = (): Plugin => ({
  name: 'mend-vtk',
  enforce: 'pre',
  transform: (code, id) => mends.find(([file]) => file.test(id))?.[1](code) ?? null,
});
