import { t } from '@lingui/core/macro';
import { useBlocker, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { toast } from '#core/browser/toasts.ts';
import { stopFollowing, useIsFollowing } from './images-window.ts';
import { openWindowChannel, studyIn } from './window-messages.ts';

const isStudyPage = (path: string): boolean => path.startsWith('/studies/');

/**
 * Makes the window for images follow the study of the window with the report. A study that the user chooses here opens
 * in both: the window with the report opens it first, because unsaved text may keep it at its study.
 */
export function FollowStudy() {
  const navigate = useNavigate();
  const isFollowing = useIsFollowing();
  const channel = useRef<ReturnType<typeof openWindowChannel>>(undefined);
  // Whether a window with a report is open. It then decides which study both windows show.
  const isLed = useRef(false);

  useEffect(() => {
    if (!isFollowing) return undefined;
    const opened = openWindowChannel(({ kind, path }) => {
      if (kind === 'shows') isLed.current = true;
      if (kind === 'left') {
        isLed.current = false;
        // Another window with a report may still be open.
        opened?.send({ kind: 'asks' });
      }
      if (kind !== 'shows' || path === undefined || studyIn(path) === studyIn(window.location.pathname)) return;
      void navigate({ to: path, ignoreBlocker: true });
    });
    channel.current = opened;
    // The other window may have changed its study while this one loaded.
    opened?.send({ kind: 'asks' });
    return () => opened?.close();
  }, [isFollowing, navigate]);

  useBlocker({
    disabled: !isFollowing,
    enableBeforeUnload: false,
    shouldBlockFn: ({ current, next }) => {
      const study = studyIn(next.pathname);
      if (study === undefined) return false;
      if (isLed.current) {
        if (study === studyIn(current.pathname)) return isStudyPage(next.pathname);
        toast.info(t`The study opens in both windows.`);
        channel.current?.send({ kind: 'open', path: `/viewer/${study}` });
        return true;
      }
      // The page of a study has the report, so this becomes the window that others follow.
      if (isStudyPage(next.pathname)) stopFollowing();
      return false;
    },
  });

  return null;
}
