import { asciiValue } from './element-writer.ts';

const texts: Record<string, string> = {
  DA: '19000101',
  TM: '000000',
  DT: '19000101000000',
  AS: '000Y',
  IS: '0',
  DS: '0',
  UR: 'urn:anonymized',
};
const words = new Set('AE CS LO LT PN SH ST UC UT'.split(' '));

/** A meaningless value that is valid for the VR (PS3.5 §6.2). Numbers and bytes become zeros of the same length. */
export const dummyValue = (vr: string, length: number): Uint8Array => {
  const text = texts[vr] ?? (words.has(vr) ? 'ANONYMIZED' : undefined);
  return text === undefined ? new Uint8Array(length) : asciiValue(text, vr);
};
