/** Error of the lossless JPEG decoder, as built, for any other JPEG (web/build/mend-decoders.ts). */
export const anotherJpeg = 'Another JPEG than the file says';
