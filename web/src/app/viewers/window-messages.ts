import { z } from 'zod';
import { readSession } from '#core/state/session.ts';

/** Name of the second window for images, and of the channel between it and the window with the report. */
export const imagesWindowName = 'radwork-images';

const viewerPath = z.string().regex(/^\/(us)?viewer\/[^/]+$/);

const windowMessage = z.object({
  userId: z.string(),
  subdomain: z.string(),
  /**
   * A window with a report `shows` its study, or has `left` it. The window for images wants to `open` a study there, or
   * `asks` which one it shows.
   */
  kind: z.enum(['shows', 'left', 'open', 'asks']),
  path: viewerPath.optional(),
});
type WindowMessage = Omit<z.infer<typeof windowMessage>, 'userId' | 'subdomain'>;

/** Returns the study ID or UID in the path of a viewer or a study page, undefined for other paths. */
export const studyIn = (path: string): string | undefined =>
  /^\/(?:studies|viewer|usviewer|petct|mpr)\/(?<study>[^/]+)/.exec(path)?.groups?.['study'];

/**
 * Opens the channel between the windows of one user in one organization. Messages of other users are ignored. Returns
 * undefined when no user is signed in.
 */
export const openWindowChannel = (onMessage: (message: WindowMessage) => void) => {
  const session = readSession();
  if (!session) return undefined;
  const owner = { userId: session.user.id, subdomain: session.tenant.subdomain };
  const channel = new BroadcastChannel(imagesWindowName);
  channel.addEventListener('message', ({ data }) => {
    const message = windowMessage.safeParse(data).data;
    if (message?.userId === owner.userId && message.subdomain === owner.subdomain) onMessage(message);
  });
  return {
    send: (message: WindowMessage) => channel.postMessage({ ...owner, ...message }),
    close: () => channel.close(),
  };
};
