import { t } from '@lingui/core/macro';
import { cache, Enums, eventTarget, type StackViewport } from '@cornerstonejs/core';
import { sentenceOfFault } from '@radwork/contract/imaging/file-faults';
import { DicomError } from '@radwork/dicom/dicom-error';
import { useEffect, useState } from 'react';
import { ApiError } from '#core/http/api.ts';
import { MissingTable } from '#reading/viewer/engine/loading/load-lookup-tables.ts';
import { whyShownWrong } from '#reading/viewer/images/header/browser-decoding.ts';

/** State of the image that a viewport requested last. */
export type ImageArrival =
  | { state: 'waiting' }
  | { state: 'here' }
  | { state: 'failed'; reason: string; isForGood?: boolean };

/** Returns the reason why a frame failed. A failed request arrives as XMLHttpRequest, any other failure as Error. */
export const reasonOf = (error: unknown): string => {
  if (error instanceof MissingTable) return error.message;
  if (error instanceof DicomError) return sentenceOfFault(error.fault);
  if (!(error instanceof XMLHttpRequest)) return isForGood(error) ? damagedText() : unfinishedText();
  const { status } = error;
  if (status === 0) return t`No response received from server. Check the connection and try again.`;
  if (status === 401) return t`You are signed out (status 401). Sign in again.`;
  if (status === 403) return t`You have no permission to view the image (status 403).`;
  if (status === 404) return t`The image was deleted, or you have no access to it (status 404).`;
  if (status === 429) return t`Too many requests (status 429). Try again in a moment.`;
  if (status >= 500) return t`The server is busy or failed (status ${status}). Try again in a moment.`;
  return messageOf(error) ?? t`The server answered with status ${status}.`;
};

/** The reason for an image that arrived whole and cannot be decoded. */
export const damagedText = () => t`The image is damaged, or this browser cannot decode it.`;

const unfinishedText = () => t`The browser could not finish decoding: data, time or memory was missing. Try again.`;

/** Returns the message of the server. Undefined if the response has none. */
const messageOf = ({ response }: XMLHttpRequest): string | undefined => {
  try {
    const text = typeof response === 'string' ? response : new TextDecoder().decode(new Uint8Array(response));
    const { message } = JSON.parse(text);
    return typeof message === 'string' && message !== '' ? message : undefined;
  } catch {
    return undefined;
  }
};

/**
 * Statuses that a repeated request gets again: no permission, not in this form, too large, not drawable. A deleted image
 * may be restored.
 */
const lasting = new Set([403, 406, 413, 415, 422]);

/**
 * Messages of browsers and decoders (Emscripten) for failures that say nothing about the file: no memory, no time, or a
 * decoder or response that did not arrive whole.
 */
const passing =
  /out of memory|\bOOM\b|allocation failed|allocation size|could not allocate|bad_alloc|enlarge memory|tim(?:ed|e) ?-?out|failed to fetch|load failed|networkerror|dynamically imported module|module script|fetching of the wasm|compileerror|invalid response/i;

/**
 * Whether a retry would fail again. A file that arrived and cannot be decoded is damaged, unless the decoder lacked
 * time or memory.
 */
export const isForGood = (error: unknown): boolean => {
  if (error instanceof XMLHttpRequest) return lasting.has(error.status);
  if (error instanceof MissingTable) return error.cause instanceof ApiError && lasting.has(error.cause.status);
  return !passing.test(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
};

const waiting: ImageArrival = { state: 'waiting' };
const here: ImageArrival = { state: 'here' };

const { IMAGE_LOAD_ERROR, PRE_STACK_NEW_IMAGE, STACK_NEW_IMAGE } = Enums.Events;

/**
 * Returns whether the requested image has arrived. After a failure, the viewport still shows the old image without
 * notice. The caller must cover it until another image is drawn.
 */
export const useImageArrival = (viewport: StackViewport): ImageArrival => {
  const [arrival, setArrival] = useState<ImageArrival>(waiting);

  useEffect(() => {
    const { element } = viewport;
    const onNewImage = () => {
      // A cached image is drawn at once, so it does not count as loading.
      if (!cache.isLoaded(viewport.getCurrentImageId())) {
        setArrival((before) => (before.state === 'failed' ? before : waiting));
      }
    };
    const onCome = () => {
      const wrong = whyShownWrong(viewport.getCurrentImageId());
      if (wrong) {
        setArrival({ state: 'failed', reason: wrong, isForGood: true });
        return;
      }
      const { rows, columns } = viewport.getCornerstoneImage();
      // Whether the decoder returned an empty image. For incomplete data, it may do so without an error.
      const isEmpty = rows === 0 || columns === 0;
      setArrival(isEmpty ? { state: 'failed', reason: damagedText(), isForGood: true } : here);
    };
    const onError = ({ detail }: CustomEventInit<{ imageId: string; error: unknown }>) => {
      if (detail?.imageId !== viewport.getCurrentImageId()) return;
      setArrival({ state: 'failed', reason: reasonOf(detail.error), isForGood: isForGood(detail.error) });
    };

    element.addEventListener(PRE_STACK_NEW_IMAGE, onNewImage);
    element.addEventListener(STACK_NEW_IMAGE, onCome);
    eventTarget.addEventListener(IMAGE_LOAD_ERROR, onError);
    return () => {
      element.removeEventListener(PRE_STACK_NEW_IMAGE, onNewImage);
      element.removeEventListener(STACK_NEW_IMAGE, onCome);
      eventTarget.removeEventListener(IMAGE_LOAD_ERROR, onError);
    };
  }, [viewport]);

  return arrival;
};
