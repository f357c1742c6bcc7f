import { t } from '@lingui/core/macro';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect, useSyncExternalStore } from 'react';
import { z } from 'zod';
import { readSession } from '#core/state/session.ts';
import { toast } from '#core/browser/toasts.ts';

/** Name of the second window for images, and of the channel through which it learns what to show. */
const name = 'radwork-images';

/** Message to the window for images. A window of another user or organization ignores it. */
const studyMessage = z.object({
  userId: z.string(),
  subdomain: z.string(),
  path: z.string().regex(/^\/(us)?viewer\//),
});
type StudyMessage = z.infer<typeof studyMessage>;

const currentOwner = (): Omit<StudyMessage, 'path'> | undefined => {
  const session = readSession();
  return session && { userId: session.user.id, subdomain: session.tenant.subdomain };
};

/**
 * Opens the images of the current study in a second window, for another screen. That window then follows the study open
 * here. Returns a function that opens the window.
 */
export const useImagesWindow = (to: '/viewer/{-$id}' | '/usviewer/{-$id}', id: string) => {
  const router = useRouter();
  const path = router.buildLocation({ to, params: { id } }).href;

  useEffect(() => {
    const who = currentOwner();
    if (!who) return undefined;
    const channel = new BroadcastChannel(name);
    channel.postMessage({ ...who, path } satisfies StudyMessage);
    return () => channel.close();
  }, [path]);

  return () => {
    if (!window.open(path, name, 'popup')) {
      toast.failure(t`The browser blocked the window. Allow pop-ups for this page and try again.`);
    }
  };
};

const listeners = new Set<() => void>();
const onChange = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};
const isFollower = () => window.name === name;

/** Stops following. The window for images then shows the study that the user opens in it. */
const stopFollowing = () => {
  window.name = '';
  for (const listener of listeners) listener();
};

/**
 * Makes the window for images follow the study of the other window. Returns a function that stops the following;
 * undefined in any other window.
 */
export const useFollowing = (): (() => void) | undefined => {
  const navigate = useNavigate();
  const isFollowing = useSyncExternalStore(onChange, isFollower);

  useEffect(() => {
    if (!isFollowing) return undefined;
    const channel = new BroadcastChannel(name);
    channel.addEventListener('message', ({ data }) => {
      const message = studyMessage.safeParse(data).data;
      const who = currentOwner();
      if (!message || message.userId !== who?.userId || message.subdomain !== who.subdomain) return;
      if (window.location.pathname !== message.path) void navigate({ to: message.path });
    });
    return () => channel.close();
  }, [isFollowing, navigate]);

  return isFollowing ? stopFollowing : undefined;
};
