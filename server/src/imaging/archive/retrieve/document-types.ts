import { varies } from '#imaging/archive/dicomweb/vary-header.ts';
import { type DicomJson, textOf } from '@radwork/dicom/dataset';
import { documentTypeOfClass } from '@radwork/dicom/document-classes';

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

/**
 * Returns the declared media type of an encapsulated document, or that of its class if it declares none; undefined for a
 * type that this server treats as plain bytes.
 */
export const documentTypeOf = (dataset: DicomJson): string | undefined => {
  const declaredType = textOf(dataset, 'MIMETypeOfEncapsulatedDocument')?.trim().toLowerCase() ?? '';
  if (declaredType === '') return documentTypeOfClass[textOf(dataset, 'SOPClassUID') ?? ''];
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
