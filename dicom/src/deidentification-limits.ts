import type { PlainFault } from './dicom-error.ts';
import { type RawElement, textOfRaw, type RawFile } from './raw-data-set.ts';

const storage = '1.2.840.10008.5.1.4.1.1.';

const kinds: readonly (readonly [prefix: string, fault: PlainFault])[] = [
  [`${storage}9.4.`, 'voiceRecording'],
  [`${storage}88.`, 'structuredReport'],
  [`${storage}104.`, 'document'],
  [`${storage}11.`, 'presentationState'],
];

/**
 * Returns the reason why this file cannot be de-identified by rules for attributes: its content is sentences, pages or
 * drawings. Undefined for other files.
 */
export const deidentificationRefusal = ({ dataSet, fileMeta }: RawFile): PlainFault | undefined => {
  const sopClass = textOfRaw(dataSet, '00080016') || textOfRaw(fileMeta, '00020002');
  const kind = kinds.find(([prefix]) => sopClass.startsWith(prefix));
  if (kind) return kind[1];
  if (!sopClass.startsWith('1.2.840.10008.')) return 'proprietary';
  const has = (tag: string) => dataSet.some((element) => element.tag === tag);
  if (has('0040A730')) return 'containsReport';
  if (has('00420011')) return 'containsDocument';
  if (dataSet.some(isInPixels)) return 'overlayInPixels';
  return undefined;
};

/**
 * Whether an overlay is in unused bits of the pixels (PS3.3 §C.9.2, retired in 2004). Overlay Bits Allocated then
 * equals that of the pixels instead of 1. Overlay Bit Position may be 0.
 */
const isInPixels = ({ tag, value }: RawElement): boolean =>
  value instanceof Uint8Array &&
  ((/^60..0100$/.test(tag) && value.some((byte) => byte > 1)) ||
    (/^60..0102$/.test(tag) && value.some((byte) => byte !== 0)));

const kindsWithText = new Set(['US', 'IVUS', 'ES', 'SC', 'XC', 'OT', 'GM', 'SM', 'OP', 'XA', 'RF', 'SR', 'DOC']);

/**
 * Whether the pixels may show names, because the file declares it or its kind often does. The pixels are not changed.
 */
export const mayShowText = ({ dataSet }: Pick<RawFile, 'dataSet'>): boolean => {
  const burnedIn = textOfRaw(dataSet, '00280301');
  if (burnedIn === 'YES') return true;
  const isSecondaryCapture = textOfRaw(dataSet, '00080016').startsWith(`${storage}7`);
  // Images of dose or protocol pages, which scanners store with the modality of their other images.
  const isPage = textOfRaw(dataSet, '00080008').includes('SCREEN SAVE');
  return burnedIn !== 'NO' && (isSecondaryCapture || isPage || kindsWithText.has(textOfRaw(dataSet, '00080060')));
};
