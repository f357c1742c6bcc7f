import { archive } from '@radwork/contract/archive';
import type { Endpoint, Reply } from '@radwork/contract/endpoint';
import { ApiError, pathOf, refusal, requestHeaders } from './api.ts';
import { noteAnswer, noteSilence } from './connection.ts';
import { readSession } from './session.ts';
import { type FileOutcome, readStoreAnswer } from './store-answer.ts';

export type { FileOutcome } from './store-answer.ts';

/** A file on its way: its bytes, which may still be on disk, and how many they are. */
export type OutgoingFile = { readonly body: Blob; readonly size: number };

/** An upload has no time limit, but one that stands still this long has failed (C10). */
const patience = 60_000;

/** Nothing moves while the server stores what it has received, and to an object store the bytes travel once more. */
const minutesToStore = 10;

type UploadOptions = {
  /** Refuse files of any other study. */
  studyInstanceUID: string | undefined;
  /** Hears how many bytes of the files have left so far. */
  onProgress: (sentBytes: number) => void;
  signal: AbortSignal;
};

/**
 * Stores files in the archive with one form-data request and says what became of each, in their order; undefined for
 * one about which the server was silent. Throws ApiError when the call as a whole failed: then nobody knows what became
 * of any file, and sending them again is safe. Only XMLHttpRequest tells how much of an upload has left, so this is the
 * one call that does not use fetch.
 */
export const storeFiles = async (
  files: readonly OutgoingFile[],
  { studyInstanceUID, onProgress, signal }: UploadOptions,
): Promise<(FileOutcome | undefined)[]> => {
  const form = new FormData();
  // The server reads the form in order: what decides about files has to come before them.
  if (studyInstanceUID) form.append('studyInstanceUID', studyInstanceUID);
  // Sent under numbers: names may repeat across folders, and often say whose images they are.
  for (const [index, { body }] of files.entries()) form.append('file', body, String(index));
  const total = files.reduce((sum, { size }) => sum + size, 0);

  const token = readSession()?.token;
  const request = prepare(`/api/stow-rs${archive.store.path}`);
  // Boundaries and headers travel too, so what has left is scaled to the bytes of the files.
  await sent(request, form, signal, (share) => onProgress(share * total));
  noteAnswer();
  const { status, responseText } = request;
  const outcomes = readStoreAnswer(responseText, files.length);
  // A full archive has stored none of them, and will store none of the next: that is no fault of these files.
  if (outcomes && status !== 507) return outcomes;
  throw refusal(status, responseText, (name) => request.getResponseHeader(name), token);
};

type FormOptions = {
  params?: Record<string, string>;
  body?: object | undefined;
  files: readonly File[];
  /** Hears which part of the form has left, 0 to 1. */
  onShare: (share: number) => void;
  signal: AbortSignal;
};

/** Makes a call that brings files, and says how far it is. Throws ApiError. */
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
  if (status !== 200) throw refusal(status, responseText, (name) => request.getResponseHeader(name), token);
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
 * Resolves when an answer is there, whatever it says. Rejects with ApiError when none came or nothing moved for too
 * long, with an AbortError when the signal fired. `onShare` hears which part of the body has left, 0 to 1.
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
      failAfter(patience, 'upload.stalled', `The upload stood still for ${patience / 1000} seconds`);
    const expectAnswer = () =>
      failAfter(
        minutesToStore * 60_000,
        'answer.missing',
        `The server received everything and did not answer for ${minutesToStore} minutes`,
      );
    request.upload.onprogress = ({ loaded, total }) => {
      expectMovement();
      onShare(total > 0 ? loaded / total : 1);
    };
    request.upload.onload = expectAnswer;
    request.onload = () => end(resolve);
    request.onerror = () => fail('answer.missing', 'No response received from server');
    request.onabort = () => end(() => reject(new DOMException('The upload was cancelled', 'AbortError')));
    signal.throwIfAborted();
    signal.addEventListener('abort', stop);
    expectMovement();
    request.send(body);
  });
