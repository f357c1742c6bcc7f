import { t } from '@lingui/core/macro';
import { archive } from '@radwork/contract/imaging/archive';
import type { Endpoint, Reply } from '@radwork/contract/core/endpoint';
import { ApiError, pathOf, readError, requestHeaders } from './api.ts';
import { noteAnswer, noteSilence } from './connection.ts';
import { readSession } from '#core/state/session.ts';
import { type FileOutcome, readStoreAnswer } from './store-response.ts';

export type { FileOutcome } from './store-response.ts';

/** File to send: its content, which may still be on disk, and its size. */
export type OutgoingFile = { readonly body: Blob; readonly size: number };

/** Time without progress after which an upload fails, in milliseconds. The whole upload has no time limit. */
const patience = 60_000;
const patienceSeconds = patience / 1000;

/**
 * Time for the server to store the files that it has received. With an object store, the server must send all bytes
 * once more.
 */
const minutesToStore = 10;

type UploadOptions = {
  /** StudyInstanceUID of the files. The server refuses files of other studies. */
  studyInstanceUID: string | undefined;
  /** Called with the number of file bytes sent so far. */
  onProgress: (sentBytes: number) => void;
  signal: AbortSignal;
};

/**
 * Stores files with one form-data request and returns their results in order. If the response does not mention a file,
 * its result is undefined. Throws ApiError when the whole request failed; sending again is then safe. Uses
 * XMLHttpRequest, because fetch reports no upload progress.
 */
export const storeFiles = async (
  files: readonly OutgoingFile[],
  { studyInstanceUID, onProgress, signal }: UploadOptions,
): Promise<(FileOutcome | undefined)[]> => {
  const form = new FormData();
  // Must come before the files, because the server reads the form in order.
  if (studyInstanceUID) form.append('studyInstanceUID', studyInstanceUID);
  // Sends numbers as names, because file names may repeat and often identify the patient.
  for (const [index, { body }] of files.entries()) form.append('file', body, String(index));
  const total = files.reduce((sum, { size }) => sum + size, 0);

  const token = readSession()?.token;
  const request = prepare(`/api/stow-rs${archive.store.path}`);
  // The request also contains boundaries and headers, so progress is scaled to the bytes of the files.
  await sent(request, form, signal, (share) => onProgress(share * total));
  noteAnswer();
  const { status, responseText } = request;
  const outcomes = readStoreAnswer(responseText, files.length);
  // Status 507 is an error of the whole request: a full archive has stored no file and will store none.
  if (outcomes && status !== 507) return outcomes;
  throw readError(status, responseText, (name) => request.getResponseHeader(name), token);
};

type FormOptions = {
  params?: Record<string, string>;
  body?: object | undefined;
  files: readonly File[];
  /** Called with the part of the form sent so far, from 0 to 1. */
  onShare: (share: number) => void;
  signal: AbortSignal;
};

/** Makes a call with files and reports progress. Throws ApiError. */
export const callWithFiles = async <E extends Endpoint>(
  endpoint: E,
  { params = {}, body, files, onShare, signal }: FormOptions,
): Promise<Reply<E>> => {
  const form = new FormData();
  if (body) form.append(endpoint.upload?.part ?? '', new Blob([JSON.stringify(body)], { type: 'application/json' }));
  for (const file of files) form.append('files', file);
  const token = readSession()?.token;
  const request = prepare(`/api${pathOf(endpoint.path, { params })}`, endpoint.method);
  await sent(request, form, signal, onShare);
  noteAnswer();
  const { status, responseText } = request;
  if (status !== 200) throw readError(status, responseText, (name) => request.getResponseHeader(name), token);
  return JSON.parse(responseText).data;
};

const prepare = (path: string, method = 'POST'): XMLHttpRequest => {
  const request = new XMLHttpRequest();
  request.open(method, path);
  request.setRequestHeader('accept', 'application/json');
  for (const [name, value] of Object.entries(requestHeaders())) request.setRequestHeader(name, value);
  return request;
};

/**
 * Sends a request and resolves with any response. Rejects with ApiError without a response or after too long without
 * progress. Rejects with AbortError when the signal aborts. `onShare` receives the part of the body sent so far, from 0
 * to 1.
 */
const sent = (request: XMLHttpRequest, body: FormData, signal: AbortSignal, onShare: (share: number) => void) =>
  new Promise<void>((resolve, reject) => {
    let watch: ReturnType<typeof setTimeout> | undefined;
    const stop = () => request.abort();
    const end = (settle: () => void) => {
      clearTimeout(watch);
      signal.removeEventListener('abort', stop);
      settle();
    };
    const fail = (error: string, words: string) => {
      noteSilence();
      end(() => reject(new ApiError(0, error, words)));
    };
    const failAfter = (milliseconds: number, error: string, words: string) => {
      clearTimeout(watch);
      watch = setTimeout(() => {
        fail(error, words);
        request.abort();
      }, milliseconds);
    };
    const expectMovement = () =>
      failAfter(patience, 'upload.stalled', t`The upload made no progress for ${patienceSeconds} seconds`);
    const expectAnswer = () =>
      failAfter(
        minutesToStore * 60_000,
        'answer.missing',
        t`The server received all files but did not respond for ${minutesToStore} minutes`,
      );
    request.upload.onprogress = ({ loaded, total }) => {
      expectMovement();
      onShare(total > 0 ? loaded / total : 1);
    };
    request.upload.onload = expectAnswer;
    request.onload = () => end(resolve);
    request.onerror = () => fail('answer.missing', t`No response received from server`);
    request.onabort = () => end(() => reject(new DOMException(t`The upload was canceled`, 'AbortError')));
    signal.throwIfAborted();
    signal.addEventListener('abort', stop);
    expectMovement();
    request.send(body);
  });
