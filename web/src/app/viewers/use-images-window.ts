import { t } from '@lingui/core/macro';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { toast } from '#core/browser/toasts.ts';
import { mayLeave } from '#ui/dialogs/use-leave-warning.ts';
import { isImagesWindow } from './images-window.ts';
import { imagesWindowName, openWindowChannel, studyIn } from './window-messages.ts';

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
    // The window for images follows another window and leads none.
    if (isImagesWindow()) return undefined;
    const show = () => channel?.send({ kind: 'shows', path });
    const leave = () => channel?.send({ kind: 'left', path });
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
    window.addEventListener('pagehide', leave);
    return () => {
      leave();
      window.removeEventListener('focus', show);
      window.removeEventListener('pagehide', leave);
      channel?.close();
    };
  }, [path, id]);

  return () => {
    if (!window.open(path, imagesWindowName, 'popup')) {
      toast.failure(t`The browser blocked the window. Allow pop-ups for this page and try again.`);
    }
  };
};
