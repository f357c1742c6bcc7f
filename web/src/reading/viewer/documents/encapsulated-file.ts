import { t } from '@lingui/core/macro';
import { type DicomJson, numberOf, tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';

/** Type of an encapsulated file (PS3.3 §C.24.2): its description and file extension. */
export type FileKind = { words: string; ending: string; isPdf: boolean };

const encapsulatedPdfStorage = '1.2.840.10008.5.1.4.1.1.104.1';

const kinds = new Map(
  Object.entries({
    'application/pdf': { words: t`PDF document`, ending: 'pdf' },
    'text/xml': { words: t`Clinical document (HL7 CDA)`, ending: 'xml' },
    'application/xml': { words: t`Clinical document (HL7 CDA)`, ending: 'xml' },
    'model/stl': { words: t`3D model (STL)`, ending: 'stl' },
    'application/sla': { words: t`3D model (STL)`, ending: 'stl' },
    'model/obj': { words: t`3D model (OBJ)`, ending: 'obj' },
    'model/mtl': { words: t`3D model materials (MTL)`, ending: 'mtl' },
  }),
);

/** Returns the type that the header declares. The bytes may differ: see `isPdf`. */
export const fileKindOf = (header: DicomJson): FileKind => {
  const named = textOf(header, tag.MIMETypeOfEncapsulatedDocument).toLowerCase();
  const isPdf = named === 'application/pdf' || textOf(header, tag.SOPClassUID) === encapsulatedPdfStorage;
  const known = kinds.get(isPdf ? 'application/pdf' : named);
  return { ...(known ?? { words: named ? t`File of type ${named}` : t`File of unknown type`, ending: 'bin' }), isPdf };
};

/** Returns the declared size in bytes, undefined if the header has none. */
export const fileSizeOf = (header: DicomJson): number | undefined => numberOf(header, tag.EncapsulatedDocumentLength);

/** The PDF mark may follow this many bytes into a file; all PDF readers allow it. */
const markWithin = 1024;

/** Checks the bytes for the mark of a PDF, whatever type is declared (ISO 32000-1 §7.5.2). */
export const isPdf = async (bytes: Blob): Promise<boolean> =>
  (await bytes.slice(0, markWithin).text()).includes('%PDF-');

/** Makes a file name that every file system accepts from a title. */
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
