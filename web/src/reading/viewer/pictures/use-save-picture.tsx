import { t } from '@lingui/core/macro';
import { savedPictures } from '@radwork/contract/reading/saved-pictures';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { errorMessageOf } from '#core/http/api.ts';
import { may } from '#core/state/session.ts';
import { toast } from '#core/browser/toasts.ts';
import type { Picture, CaptureResult } from './picture.ts';

const SavePictureDialog = lazy(async () => ({
  default: (await import('./save-picture-dialog.tsx')).SavePictureDialog,
}));

/**
 * Returns the dialog to save a picture, and `onPicture`, which captures the current pane and opens the dialog.
 * `onPicture` is undefined without the permission.
 */
export const useSavePicture = (
  take: (() => Promise<CaptureResult>) | undefined,
): { onPicture: (() => void) | undefined; dialog: ReactNode } => {
  const [picture, setPicture] = useState<Picture>();
  const isTaking = useRef(false);
  const isAlive = useRef(true);
  useEffect(() => {
    isAlive.current = true;
    return () => {
      isAlive.current = false;
    };
  }, []);

  const takeNow = async (takeIt: () => Promise<CaptureResult>) => {
    if (isTaking.current) return;
    isTaking.current = true;
    try {
      const captured = await takeIt();
      if (!isAlive.current) return;
      if (typeof captured === 'string') toast.info(captured);
      else setPicture(captured);
    } catch (error) {
      toast.failure(errorMessageOf(error, t`The image could not be captured`));
    } finally {
      isTaking.current = false;
    }
  };

  return {
    onPicture: take && may(savedPictures.note) ? () => void takeNow(take) : undefined,
    dialog: picture && (
      <Suspense>
        <SavePictureDialog picture={picture} onClose={() => setPicture(undefined)} />
      </Suspense>
    ),
  };
};
