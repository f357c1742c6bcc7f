/**
 * Error of the lossless JPEG decoder for any other kind of JPEG. The build adds this check to the decoder
 * (web/build/patch-decoders.ts).
 */
export const losslessJpegError = 'Another JPEG than the file says';
