/** What the decoder of lossless JPEG says of any other, as it is built (web/build/mend-decoders.ts). */
export const anotherJpeg = 'Another JPEG than the file says';
