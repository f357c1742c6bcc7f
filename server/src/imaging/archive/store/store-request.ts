import { t } from '@radwork/contract/core/translate';
import { boundaryOf, MultipartError, type Part, parameterOf, readMultipart } from '@radwork/dicom/multipart';
import { isUid } from '@radwork/dicom/uid';
import { malformed, Problem } from '#core/http/problem.ts';
import { filesPerBatch, type UploadedFile } from './store-instances.ts';
import { BrokenOff, UploadStalled } from '#core/uploads/upload-stream.ts';

/**
 * The files of a request. `studyInstanceUID` returns the study to which they must belong, or undefined if the request
 * has not named one yet.
 */
export type Upload = { files: AsyncIterable<UploadedFile>; studyInstanceUID: () => string | undefined };

const mostFiles = 5000;
const longestField = 1024;
const longestName = 255;

/**
 * Reads a store request while it arrives: multipart/related (PS3.18 §10.5.1), a browser form, or a single DICOM file.
 * In a form, every part is a file except the optional field "studyInstanceUID". Throws a Problem with 415 for other
 * types. `uploadProblem` explains errors while reading.
 */
export const readUpload = (contentType: string | undefined, body: AsyncIterable<Buffer>): Upload => {
  const [mediaType = ''] = (contentType ?? '').toLowerCase().split(';');
  switch (mediaType.trim()) {
    case 'multipart/form-data':
      return readForm(partsOf(contentType, body));
    case 'multipart/related':
      return readRelated(contentType ?? '', partsOf(contentType, body));
    case 'application/dicom':
      return { files: oneFile(body), studyInstanceUID: () => undefined };
    default:
      throw unsupported();
  }
};

const unsupported = () =>
  new Problem(
    415,
    'store.media_type',
    t`Send DICOM files as multipart/form-data, multipart/related or application/dicom`,
  );

const partsOf = (contentType: string | undefined, body: AsyncIterable<Buffer>): AsyncIterable<Part> =>
  readMultipart(body, boundaryOf(contentType), { parts: mostFiles });

/** Converts an upload error to a Problem for the sender. Returns other errors unchanged. */
export const uploadProblem = (error: unknown): unknown => {
  if (error instanceof MultipartError && error.code === 'TOO_MANY_PARTS') {
    return new Problem(413, 'store.too_many', t`Send at most ${mostFiles} files in one request`);
  }
  if (error instanceof MultipartError) return malformed(error.message);
  if (error instanceof UploadStalled) return new Problem(408, 'store.stalled', error.message);
  return error instanceof BrokenOff ? malformed(error.message) : error;
};

const readRelated = (contentType: string, parts: AsyncIterable<Part>): Upload => {
  const type = parameterOf(contentType, 'type') ?? 'application/dicom';
  if (type.toLowerCase() !== 'application/dicom') throw unsupported();
  return { files: relatedFiles(parts), studyInstanceUID: () => undefined };
};

async function* relatedFiles(parts: AsyncIterable<Part>): AsyncGenerator<UploadedFile> {
  let count = 0;
  for await (const { headers, body } of parts) {
    count += 1;
    const name = headers.get('content-location') ?? fileNameOf(headers) ?? '';
    yield { name: readable(name) || `Part ${count}`, body };
  }
}

const readForm = (parts: AsyncIterable<Part>): Upload => {
  let statedUid: string | undefined;
  const files = formFiles(parts, (uid) => {
    statedUid = uid;
  });
  return { files, studyInstanceUID: () => statedUid };
};

async function* formFiles(parts: AsyncIterable<Part>, nameStudy: (uid: string) => void): AsyncGenerator<UploadedFile> {
  let count = 0;
  for await (const { headers, body } of parts) {
    if (isStudyField(headers)) {
      // Files of any study may have been stored by now, so the field comes too late.
      if (count >= filesPerBatch) throw malformed(t`The field studyInstanceUID must precede the files`);
      const uid = await fieldText(body);
      if (uid !== '') nameStudy(studyUid(uid));
    } else {
      // Scripts send files without a name, so every part counts as a file. The archive refuses a part that is not a
      // DICOM file, so the sender learns of it.
      count += 1;
      yield { name: readable(fileNameOf(headers) ?? '') || `File ${count}`, body };
    }
  }
}

const isStudyField = (headers: Part['headers']): boolean =>
  dispositionOf(headers, 'name') === 'studyInstanceUID' && fileNameOf(headers) === undefined;

async function* oneFile(body: AsyncIterable<Buffer>): AsyncGenerator<UploadedFile> {
  yield { name: 'File', body };
}

/** Validates the study UID from a path or a field. */
export const studyUid = (text: string): string => {
  if (!isUid(text)) throw malformed(t`studyInstanceUID is not a valid UID`);
  return text;
};

const dispositionOf = (headers: Part['headers'], parameter: string): string | undefined =>
  parameterOf(headers.get('content-disposition') ?? '', parameter);

/**
 * Many clients send names outside ASCII in "filename*", as in HTTP header fields (RFC 8187), although RFC 7578 forbids
 * this in forms.
 */
const fileNameOf = (headers: Part['headers']): string | undefined =>
  dispositionOf(headers, 'filename') ?? decodedName(dispositionOf(headers, 'filename*'));

/** Decodes a name such as "utf-8''M%C3%BCller.dcm". Returns '' for an invalid name. */
const decodedName = (encoded: string | undefined): string | undefined => {
  if (encoded === undefined) return undefined;
  const [, name = ''] = /^utf-8'[^']*'(.*)$/i.exec(encoded) ?? [];
  try {
    return decodeURIComponent(name);
  } catch {
    return '';
  }
};

const fieldText = async (body: AsyncIterable<Buffer>): Promise<string> => {
  let text = '';
  for await (const chunk of body) {
    text += chunk.toString('latin1');
    if (text.length > longestField) throw malformed(t`A form field is too long`);
  }
  return text.trim();
};

/** Makes a name fit on one line of the answer, in at most `longestName` characters. */
const readable = (name: string): string =>
  name
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
    .slice(0, longestName)
    .toWellFormed();
