import type { DicomJson } from './dicom-json.ts';

/** Whether a plane contains a bit that is set. The base64 text of an empty plane is all "A". */
const showsSomething = ({ InlineBinary, BulkDataURI }: DicomJson[string]): boolean =>
  BulkDataURI !== undefined || (InlineBinary !== undefined && /[^A=]/.test(InlineBinary));

/** Whether the plane is stored in unused bits of the pixels, as was allowed before 2004 (PS3.3 §C.9.2). */
const isInPixels = (header: DicomJson, group: string): boolean => {
  const [bitsAllocated] = header[`${group}0100`]?.Value ?? [];
  return Number(bitsAllocated) > 1;
};

/** Whether an image has overlay planes (PS3.3 §C.9.2), such as a side marker on a radiograph. */
export const hasOverlayPlanes = (header: DicomJson): boolean =>
  Object.entries(header).some(([tag, element]) => {
    const [, group = '', attribute] = /^(60[01][02468ACE])(3000|0102)$/.exec(tag) ?? [];
    if (attribute === '3000') return showsSomething(element);
    return attribute === '0102' && isInPixels(header, group);
  });
