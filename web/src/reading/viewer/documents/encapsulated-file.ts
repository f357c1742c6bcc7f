import { t } from '@lingui/core/macro';
import { documentTypeOfClass } from '@radwork/dicom/document-classes';
import { type DicomJson, numberOf, tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';

/** Type of an encapsulated file: its description and file extension (PS3.3 §C.24.2). */
export type FileKind = { words: string; ending: string; isPdf: boolean };

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

/** Returns the file type that the header declares. The content may be of another type: see `isPdf`. */
export const fileKindOf = (header: DicomJson): FileKind => {
  const ofClass = documentTypeOfClass[textOf(header, tag.SOPClassUID)] ?? '';
  const named = textOf(header, tag.MIMETypeOfEncapsulatedDocument).toLowerCase() || ofClass;
  const isPdf = [named, ofClass].includes('application/pdf');
  const known = kinds.get(isPdf ? 'application/pdf' : named);
  return { ...(known ?? { words: named ? t`File of type ${named}` : t`File of unknown type`, ending: 'bin' }), isPdf };
};

/** Returns the size in bytes as declared in the header; undefined if not declared. */
export const fileSizeOf = (header: DicomJson): number | undefined => numberOf(header, tag.EncapsulatedDocumentLength);

/** Number of bytes that may come before the PDF signature. All PDF readers accept these. */
const markWithin = 1024;

/** Returns whether the content begins with the PDF signature, whatever type is declared (ISO 32000-1 §7.5.2). */
export const isPdf = async (bytes: Blob): Promise<boolean> =>
  (await bytes.slice(0, markWithin).text()).includes('%PDF-');

/** Converts a title to a file name that every file system accepts. */
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
