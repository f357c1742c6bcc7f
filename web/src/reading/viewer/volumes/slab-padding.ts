import type { ValueRange } from '@radwork/dicom/value-window';

/** Padding that a slab leaves out, as the build patches the slab shader to ask for it (web/build/patch-vtk.ts). */
export type SlabPadding = {
  /** Range of the values in the volume that are padding. */
  range: ValueRange;
  /** Projections that padding would change, as numbered by vtk.js. */
  slabTypes: readonly number[];
};

/** Key of the padding in the properties of the image data of vtk.js. */
export const slabPaddingKey = 'slabPadding';

/** No value lies in it. */
const nothing: readonly [number, number] = [1, 0];

type ImageData = { get: (key: string) => Record<string, unknown> };
type Texture = { getVolumeInfo: () => { scale: readonly number[]; offset: readonly number[] } };

/**
 * Returns the range of padding in units of a texture, for a projection of the slab. Without padding, its first value
 * exceeds its second. Several textures are never projected together.
 */
export const paddingInTexture = (
  imageData: ImageData,
  slabType: number,
  [texture, ...others]: readonly Texture[],
): readonly [number, number] => {
  const padding = imageData.get(slabPaddingKey)[slabPaddingKey] as SlabPadding | undefined;
  if (!padding || !texture || others.length > 0 || !padding.slabTypes.includes(slabType)) return nothing;
  const { scale, offset } = texture.getVolumeInfo();
  const inTexture = (value: number) => (value - (offset[0] ?? 0)) / (scale[0] ?? 1);
  return [inTexture(padding.range[0]), inTexture(padding.range[1])];
};
