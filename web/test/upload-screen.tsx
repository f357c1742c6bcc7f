import { studies } from '@radwork/contract/imaging/studies';
import { readHeader } from '@radwork/dicom/header';
import { sampleFile } from '@radwork/dicom/sample-files';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, vi } from 'vitest';
import { until } from './eventually.ts';
import { FakeRequest } from './fake-request.ts';
import { answer, signIn, visit } from './screen.tsx';
import { studyDetails } from './studies.ts';
import { WorkerHere } from './upload.ts';

/** Provides the browser features that the upload screen needs, for all tests of a file. Call it at the top level. */
export const haveWhatUploadsNeed = () => {
  beforeEach(() => {
    vi.stubGlobal('XMLHttpRequest', FakeRequest);
    vi.stubGlobal('Worker', WorkerHere);
    // Gives elements a height, because a virtual list renders no rows without one.
    vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600);
  });

  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
    FakeRequest.last = undefined;
  });
};

/** Returns a file with an image, by default of Jane Doe with ID P-1. */
export const file = (name: string, differences: Parameters<typeof sampleFile>[0] = {}) =>
  new File([new Uint8Array(sampleFile(differences))], name, { lastModified: 1_790_000_000_000 });

/** Returns a file on a slow disk. It can be read after a call of `arrive`. */
export const slowFile = (name: string, differences: Parameters<typeof sampleFile>[0]) => {
  const slow = file(name, differences);
  const { promise: isThere, resolve: arrive } = Promise.withResolvers<void>();
  vi.spyOn(slow, 'slice').mockImplementation(() =>
    Object.assign(new Blob(), { arrayBuffer: () => isThere.then(() => slow.arrayBuffer()) }),
  );
  return { slow, arrive };
};

export const openScreen = async (...answers: Parameters<typeof visit>[1][]) => {
  signIn();
  const study = studyDetails();
  const page = visit(
    '/studies/create',
    answer(studies.get, () => study),
    ...answers,
  );
  const input = await screen.findByLabelText('DICOM files');
  return { ...page, study, user: userEvent.setup(), input };
};

/** Replies to the current request. */
export const respond = async (data: { stored: { name: string; studyId: string }[]; refused: unknown[] }) => {
  await until(() => FakeRequest.last);
  FakeRequest.last?.answer(200, { code: 200, data });
};

/** Returns the headers of the files in the current request, as the archive would read them. */
export const sentHeaders = async () => {
  await until(() => FakeRequest.last);
  const parts = FakeRequest.last?.body?.getAll('file') ?? [];
  return Promise.all(
    parts.map(async (part) =>
      readHeader(Buffer.from(part instanceof File ? await part.arrayBuffer() : new ArrayBuffer())),
    ),
  );
};

/** Header elements of another patient, for a file. */
export const roe = {
  PatientName: 'Roe^Richard',
  PatientID: 'P-2',
  StudyInstanceUID: '2.25.201',
  SOPInstanceUID: '2.25.203',
};
