import { t } from '@lingui/core/macro';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { toast } from '#core/browser/toasts.ts';
import { mayLeave } from '#ui/dialogs/use-leave-warning.ts';
import { imagesWindowName, openWindowChannel, reportWindowLock, studyIn } from './window-messages.ts';

type Options = {
  to: '/viewer/{-$id}' | '/usviewer/{-$id}';
  id: string;
  /** Opens another study here, because the user chose it in the window for images. */
  onOpen: (studyId: string) => void;
};

/**
 * Makes the second window for images show the study that is open here, and this window follow a study chosen there. So
 * the two never show two patients. Returns a function that opens the window.
 */
export const useImagesWindow = ({ to, id, onOpen }: Options): (() => void) => {
  const router = useRouter();
  const path = router.buildLocation({ to, params: { id } }).href;
  const open = useRef(onOpen);
  useEffect(() => {
    open.current = onOpen;
  });

  useEffect(() => {
    const show = () => channel?.send({ kind: 'shows', path });
    const follow = async (studyId: string | undefined) => {
      // Unsaved text may keep the user here. The window for images has not left its study.
      if (studyId !== undefined && studyId !== id && (await mayLeave())) open.current(studyId);
    };
    const channel = openWindowChannel((message) => {
      if (message.kind === 'asks') show();
      if (message.kind === 'open') void follow(studyIn(message.path ?? ''));
    });
    show();
    // With several windows, the images are those of the window that is in use.
    window.addEventListener('focus', show);
    const letGo = holdLock();
    return () => {
      letGo();
      window.removeEventListener('focus', show);
      channel?.close();
    };
  }, [path, id]);

  return () => {
    if (!window.open(path, imagesWindowName, 'popup')) {
      toast.failure(t`The browser blocked the window. Allow pop-ups for this page and try again.`);
    }
  };
};

/** Holds the lock of a report window. Returns its release. Browsers have locks over HTTPS and on localhost only. */
const holdLock = (): (() => void) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  if ('locks' in navigator) {
    navigator.locks.request(reportWindowLock, { mode: 'shared' }, () => promise).catch(() => undefined);
  }
  return resolve;
};
