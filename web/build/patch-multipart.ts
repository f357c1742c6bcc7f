import type { Plugin } from 'vite';

const copied = 'const response = new Uint8Array(imageFrameAsArrayBuffer);';
const searched = 'const endIndex = findIndexOfString(response, boundary, offset);';

/** Finds the closing delimiter at the end of a body (RFC 2046 §5.1.1), or else searches the whole body. */
const closingBoundary = `
function closingBoundary(data, boundary, offset) {
  const closing = boundary + '--';
  const last = data.length - closing.length;
  for (let start = last; start >= Math.max(offset, last - 2); start -= 1) {
    let at = 0;
    while (at < closing.length && data[start + at] === closing.charCodeAt(at)) at += 1;
    if (at === closing.length) return start;
  }
  return findIndexOfString(data, boundary, offset);
}
`;

/**
 * Makes the image loader (Cornerstone3D 5.14.0) look for the end of a frame at the end of its response, which has one part.
 * The original copies the response and compares each byte of the frame with the boundary: 2 ms for a frame of 512 KiB, on
 * the thread that also draws. Throws if the code has changed.
 */
export const withEndFromBehind = (code: string): string => {
  if ([copied, searched].some((part) => code.split(part).length !== 2)) {
    throw new Error('The image loader reads multipart responses in another way: see web/build/patch-multipart.ts');
  }
  const kept = `const response = imageFrameAsArrayBuffer instanceof Uint8Array ? imageFrameAsArrayBuffer : new Uint8Array(imageFrameAsArrayBuffer);`;
  return (
    code.replace(copied, kept).replace(searched, searched.replace('findIndexOfString', 'closingBoundary')) +
    closingBoundary
  );
};

/** Speeds up the reading of frames. */
export const patchMultipart = (): Plugin => ({
  name: 'patch-multipart',
  enforce: 'pre',
  transform: (code, id) =>
    /dicom-image-loader\/dist\/esm\/imageLoader\/wadors\/extractMultipart\.js/.test(id)
      ? withEndFromBehind(code)
      : null,
});
