import { useRememberedText } from '#core/state/preferences.ts';
import { useSession } from '#core/state/session.ts';

/** Maximum number of pinned commands, so that the list stays short. */
const most = 12;

/**
 * Commands that the user has pinned to the top of the palette, by their ID, in the order of pinning. Never patients or
 * studies, because this browser stores the list.
 */
export const usePinnedItems = () => {
  const session = useSession();
  const [stored, store] = useRememberedText(
    `palette-pins.${session?.tenant.subdomain ?? ''}.${session?.user.id ?? ''}`,
  );
  const pinned = stored.split(' ').filter(Boolean);
  return {
    pinned,
    toggle: (id: string) =>
      store((pinned.includes(id) ? pinned.filter((other) => other !== id) : [...pinned, id].slice(-most)).join(' ')),
  };
};
