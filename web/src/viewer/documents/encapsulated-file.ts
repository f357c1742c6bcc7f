import { type DicomJson, numberOf, tag, textOf } from '#viewer/images/dicom-json.ts';

/** What a file is that DICOM only wraps (PS3.3 §C.24.2): in words, and how its name ends. */
export type FileKind = { words: string; ending: string; isPdf: boolean };

const encapsulatedPdfStorage = '1.2.840.10008.5.1.4.1.1.104.1';

const kinds = new Map(
  Object.entries({
    'application/pdf': { words: 'PDF document', ending: 'pdf' },
    'text/xml': { words: 'Clinical document (HL7 CDA)', ending: 'xml' },
    'application/xml': { words: 'Clinical document (HL7 CDA)', ending: 'xml' },
    'model/stl': { words: '3D model (STL)', ending: 'stl' },
    'application/sla': { words: '3D model (STL)', ending: 'stl' },
    'model/obj': { words: '3D model (OBJ)', ending: 'obj' },
    'model/mtl': { words: 'Materials of a 3D model (MTL)', ending: 'mtl' },
  }),
);

/** What an encapsulated document says that it is. Whether it is that, only its bytes can tell. */
export const fileKindOf = (header: DicomJson): FileKind => {
  const named = textOf(header, tag.MIMETypeOfEncapsulatedDocument).toLowerCase();
  const isPdf = named === 'application/pdf' || textOf(header, tag.SOPClassUID) === encapsulatedPdfStorage;
  const known = kinds.get(isPdf ? 'application/pdf' : named);
  return { ...(known ?? { words: named ? `File of type ${named}` : 'File of unknown type', ending: 'bin' }), isPdf };
};

/** How many bytes it is said to have, undefined where the header does not say. */
export const fileSizeOf = (header: DicomJson): number | undefined => numberOf(header, tag.EncapsulatedDocumentLength);

/** How far into a file its mark may stand: what every reader of PDF allows for. */
const markWithin = 1024;

/** Whether bytes are a PDF, whatever they are said to be (ISO 32000-1 §7.5.2). */
export const isPdf = async (bytes: Blob): Promise<boolean> =>
  (await bytes.slice(0, markWithin).text()).includes('%PDF-');

/** A title as a name that any file system takes. */
export const fileNameOf = (title: string, ending: string): string => {
  const name = title
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N} ._()-]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .replace(/^[. ]+/, '')
    .slice(0, 80)
    .trim();
  return `${name || 'document'}.${ending}`;
};
