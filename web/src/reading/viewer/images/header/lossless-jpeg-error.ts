/** Error of the lossless JPEG decoder, as built, for any other JPEG (web/build/patch-decoders.ts). */
export const losslessJpegError = 'Another JPEG than the file says';
