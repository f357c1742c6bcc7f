import { closingBoundary, partHeader } from '@radwork/dicom/multipart';
import type { Elements } from '@radwork/dicom/part10';
import { newUid } from '@radwork/dicom/uid';
import { simpleInstance } from '@radwork/phantom/instance';

export type TestFile = { name: string; bytes: Buffer };

/** A request for `inject` and `fetch`. */
export type Multipart = { payload: Buffer; headers: Record<string, string> };

const boundary = 'radwork-test-boundary-radwork-test';

/** Builds a form as a browser sends it: fields in the given order, files in fields named "files". */
export const form = (...fields: (TestFile | { field: string; value: string })[]): Multipart => {
  const parts = fields.map((field) => {
    const disposition =
      'field' in field ? `form-data; name="${field.field}"` : `form-data; name="files"; filename="${field.name}"`;
    const content = 'field' in field ? Buffer.from(field.value) : field.bytes;
    return Buffer.concat([Buffer.from(`\r\n--${boundary}\r\nContent-Disposition: ${disposition}\r\n\r\n`), content]);
  });
  return {
    payload: Buffer.concat([...parts, closingBoundary(boundary)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
};

/** Builds a store request as other software sends it (PS3.18 §10.5.1). */
export const related = (...files: Buffer[]): Multipart => ({
  payload: Buffer.concat([
    ...files.flatMap((bytes) => [partHeader({ boundary, contentType: 'application/dicom' }), bytes]),
    closingBoundary(boundary),
  ]),
  headers: { 'content-type': `multipart/related; type="application/dicom"; boundary=${boundary}` },
});

/** Creates a small valid CT image with new UIDs unless they are given. */
export const image = (elements: Elements = {}, file: Parameters<typeof simpleInstance>[1] = {}): TestFile => {
  const uids = { StudyInstanceUID: newUid(), SeriesInstanceUID: newUid(), SOPInstanceUID: newUid() };
  return { name: 'image.dcm', bytes: simpleInstance({ ...uids, PatientID: newUid(), ...elements }, file) };
};
