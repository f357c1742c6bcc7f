import { varies } from '#imaging/archive/dicomweb/vary-header.ts';
import { type DicomJson, textOf } from '@radwork/dicom/dataset';

/** Media types that an encapsulated document may declare (PS3.3 §C.24.2), with their file extensions. */
export const documentTypes: ReadonlyMap<string, string> = new Map([
  ['application/pdf', 'pdf'],
  ['text/xml', 'xml'],
  ['application/xml', 'xml'],
  ['model/stl', 'stl'],
  ['application/sla', 'stl'],
  ['model/obj', 'obj'],
  ['model/mtl', 'mtl'],
]);

/** Types of documents that declare none, by SOP class (PS3.3 §A.45, §A.85). */
const typeOfClass: Readonly<Record<string, string>> = {
  '1.2.840.10008.5.1.4.1.1.104.1': 'application/pdf',
  '1.2.840.10008.5.1.4.1.1.104.2': 'text/xml',
  '1.2.840.10008.5.1.4.1.1.104.3': 'model/stl',
  '1.2.840.10008.5.1.4.1.1.104.4': 'model/obj',
  '1.2.840.10008.5.1.4.1.1.104.5': 'model/mtl',
};

/**
 * Returns the declared media type of an encapsulated document, or that of its class if it declares none; undefined for a
 * type that this server treats as plain bytes.
 */
export const documentTypeOf = (dataset: DicomJson): string | undefined => {
  const declaredType = textOf(dataset, 'MIMETypeOfEncapsulatedDocument')?.trim().toLowerCase() ?? '';
  if (declaredType === '') return typeOfClass[textOf(dataset, 'SOPClassUID') ?? ''];
  return documentTypes.has(declaredType) ? declaredType : undefined;
};

/**
 * Headers for content that users uploaded, which may contain scripts. It gets a sandbox without an origin, and
 * documents are downloaded, not opened.
 */
export const headersOfContent = {
  'cache-control': 'private, max-age=3600',
  vary: varies,
  'content-security-policy': `sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'`,
};
