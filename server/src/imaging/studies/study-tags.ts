import type { DicomTag } from '@radwork/contract/imaging/study-rows';
import type { DicomElement, DicomJson, DicomValue, PersonName } from '@radwork/dicom/dataset';
import { entryOf } from '@radwork/dicom/dictionary';
import { isBinary } from '@radwork/dicom/vr';

/**
 * Returns every element of a data set in file order. The elements of a sequence follow the sequence. The id of a row is
 * its unique path, such as "00400275[1].00321060" for an element of a first item.
 */
export const tagsOf = (json: DicomJson, path = ''): DicomTag[] =>
  Object.entries(json).flatMap(([tag, element]) => {
    const id = `${path}${tag}`;
    const row: DicomTag = {
      id,
      keyword: entryOf(tag)?.keyword ?? '',
      tagId: `(${tag.slice(0, 4)},${tag.slice(4)})`,
      valueRepresentation: element.vr,
      value: textOf(element),
    };
    const inside = itemsOf(element).flatMap((item, index) => tagsOf(item, `${id}[${index + 1}].`));
    return [row, ...inside];
  });

const textOf = (element: DicomElement): string => {
  const { vr, Value = [], InlineBinary, BulkDataURI } = element;
  if (InlineBinary !== undefined) return binary(Buffer.byteLength(InlineBinary, 'base64'));
  if (BulkDataURI !== undefined) return isBinary(vr) ? '(binary, not listed)' : '(too long to list)';
  if (vr === 'SQ') return Value.length === 1 ? '(1 item)' : `(${Value.length} items)`;
  return Value.map(textOfValue).join('\\');
};

const binary = (bytes: number) => `(binary, ${bytes.toLocaleString('en-US')} bytes)`;

const textOfValue = (value: DicomValue): string => {
  if (value === null) return '';
  return typeof value === 'object' ? textOfName(value) : String(value);
};

/** Returns the three spellings as in the file (PS3.5 §6.2.1), without "=" at the end. */
const textOfName = ({ Alphabetic = '', Ideographic = '', Phonetic = '' }: PersonName): string =>
  [Alphabetic, Ideographic, Phonetic].join('=').replace(/(?<!=)=+$/, '');

const itemsOf = ({ vr, Value = [] }: DicomElement): DicomJson[] => (vr === 'SQ' ? Value.filter(isItem) : []);

const isItem = (value: DicomValue): value is DicomJson => typeof value === 'object' && value !== null;
