import { t } from '@lingui/core/macro';
import { cache, Enums, eventTarget, type StackViewport } from '@cornerstonejs/core';
import { DicomError } from '@radwork/dicom/dicom-error';
import { useEffect, useState } from 'react';
import { MissingTable } from '#reading/viewer/engine/loading/load-lookup-tables.ts';
import { whyShownWrong } from '#reading/viewer/images/header/browser-decoding.ts';

/** State of the image that a viewport requested last. */
export type ImageArrival =
  | { state: 'waiting' }
  | { state: 'here' }
  | { state: 'failed'; reason: string; isForGood?: boolean };

/** Returns the reason why a frame failed. A failed request arrives as XMLHttpRequest, any other failure as Error. */
export const reasonOf = (error: unknown): string => {
  if (error instanceof MissingTable || error instanceof DicomError) return error.message;
  if (!(error instanceof XMLHttpRequest)) return t`The image could not be decoded.`;
  if (error.status === 0) return t`No response received from server.`;
  if (error.status === 401) return t`You are signed out (status 401). Sign in again.`;
  if (error.status === 403) return t`You have no permission to view the image (status 403).`;
  if (error.status === 404) return t`The server does not have the image (status 404).`;
  if (error.status === 429) return t`Too many requests (status 429). Try again in a moment.`;
  const { status } = error;
  return t`The server answered with status ${status}.`;
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
    const onAsked = () => {
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
      // For incomplete data, a decoder may return an empty image without an error.
      const isEmpty = rows === 0 || columns === 0;
      setArrival(isEmpty ? { state: 'failed', reason: t`The image could not be decoded.` } : here);
    };
    const onError = ({ detail }: CustomEventInit<{ imageId: string; error: unknown }>) => {
      if (detail?.imageId !== viewport.getCurrentImageId()) return;
      setArrival({ state: 'failed', reason: reasonOf(detail.error) });
    };

    element.addEventListener(PRE_STACK_NEW_IMAGE, onAsked);
    element.addEventListener(STACK_NEW_IMAGE, onCome);
    eventTarget.addEventListener(IMAGE_LOAD_ERROR, onError);
    return () => {
      element.removeEventListener(PRE_STACK_NEW_IMAGE, onAsked);
      element.removeEventListener(STACK_NEW_IMAGE, onCome);
      eventTarget.removeEventListener(IMAGE_LOAD_ERROR, onError);
    };
  }, [viewport]);

  return arrival;
};
