/**
 * Error message of the lossless JPEG decoder for JPEG that is not lossless. The build adds this check to the decoder
 * (web/build/patch-decoders.ts).
 */
export const losslessJpegError = 'Another JPEG than the file says';
