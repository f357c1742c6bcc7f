/** Words of 32 bits that tell a shader which slices the graphics card holds. */
const words = 128;

/** Largest number of slices that the words can name. A larger volume is drawn once it is whole. */
const most = 32 * words;

type Uploads = { depth: number; count: number; bits: Int32Array };

const uploadsOf = new WeakMap<object, Uploads>();

/** Records that a texture has been made for this number of slices and holds none of them yet. */
export const beginUploads = (texture: object, depth: number) => {
  uploadsOf.set(texture, { depth, count: 0, bits: new Int32Array(Math.max(words, Math.ceil(depth / 32))) });
};

/** Returns whether a texture holds the voxels of a slice. */
export const holdsSlice = (texture: object, slice: number): boolean =>
  (((uploadsOf.get(texture)?.bits[slice >> 5] ?? 0) >> (slice & 31)) & 1) === 1;

/** Records that a texture holds the voxels of a slice. */
export const noteUpload = (texture: object, slice: number) => {
  const uploads = uploadsOf.get(texture);
  if (!uploads) return;
  if (holdsSlice(texture, slice)) return;
  uploads.bits[slice >> 5] = (uploads.bits[slice >> 5] ?? 0) | (1 << (slice & 31));
  uploads.count += 1;
};

const none = new Int32Array(words);

/**
 * Returns the number of slices of a texture, and which of them the graphics card holds, one bit each. `expected` is 0
 * if it holds all of them, or if the texture is not filled slice by slice.
 */
export const slicesInTexture = (texture: object | undefined): { expected: number; arrived: Int32Array } => {
  const uploads = texture && uploadsOf.get(texture);
  if (!uploads || uploads.count === uploads.depth) return { expected: 0, arrived: none };
  return { expected: uploads.depth, arrived: uploads.depth > most ? none : uploads.bits };
};
