/** Words of two, four or eight bytes with their bytes turned round; what is left over at the end is no word and goes. */
export const turnedRound = (bytes: Buffer, wordSize: number): Buffer => {
  const words = Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % wordSize)));
  if (wordSize === 2) return words.swap16();
  if (wordSize === 4) return words.swap32();
  return wordSize === 8 ? words.swap64() : words;
};
