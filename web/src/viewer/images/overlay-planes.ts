import type { DicomJson } from './dicom-json.ts';

/** Bytes that are all zero are "AAAA" in base64: such a plane shows nothing. */
const showsSomething = ({ InlineBinary, BulkDataURI }: DicomJson[string]): boolean =>
  BulkDataURI !== undefined || (InlineBinary !== undefined && /[^A=]/.test(InlineBinary));

/** A plane may stand in bits of the pixels that these do not use, as was done before 2004 (PS3.3 §C.9.2). */
const isInPixels = (header: DicomJson, group: string): boolean => {
  const [bitsAllocated] = header[`${group}0100`]?.Value ?? [];
  return Number(bitsAllocated) > 1;
};

/**
 * Whether an image brings graphics to lie over it (overlay planes, PS3.3 §C.9.2), such as the marker of a side that somebody
 * has set on a radiograph.
 */
export const hasOverlayPlanes = (header: DicomJson): boolean =>
  Object.entries(header).some(([tag, element]) => {
    const [, group = '', attribute] = /^(60[01][02468ACE])(3000|0102)$/.exec(tag) ?? [];
    if (attribute === '3000') return showsSomething(element);
    return attribute === '0102' && isInPixels(header, group);
  });
