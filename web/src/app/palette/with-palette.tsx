import { t } from '@lingui/core/macro';
import type { CommandPalette } from '#insight/search/command-palette.tsx';
import { mayCall } from '@radwork/contract/identity/sessions';
import { Outlet, useRouter } from '@tanstack/react-router';
import { type ComponentProps, useEffect, useState } from 'react';
import { useSession } from '#core/state/session.ts';
import { showPalette, usePaletteOpen } from '#insight/search/palette-store.ts';
import { KeyboardHelpOnDemand } from '#ui/keyboard/keyboard-help-on-demand.tsx';
import { loadOnDemand } from '#ui/feedback/on-demand.tsx';
import { useKeysOf } from '#ui/keyboard/commands.ts';
import { useShortcuts } from '#ui/keyboard/shortcuts.ts';
import { commandKey } from '#insight/search/palette-store.ts';
import { navigationFor } from '#app/shell/navigation.ts';
import { commandsHere, paletteCommands } from './palette-commands.ts';
import { useSignOut } from '#app/shell/use-sign-out.ts';

const LatePalette = loadOnDemand<ComponentProps<typeof CommandPalette>>(
  async () => (await import('#insight/search/command-palette.tsx')).CommandPalette,
);

/** Adds the command palette to the pages of a signed-in user. */
export function WithPalette() {
  const session = useSession();
  const router = useRouter();
  const isOpen = usePaletteOpen();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const signOut = useSignOut();
  const keysFor = useKeysOf();
  usePaletteKeys();

  const canOpen = (path: string): boolean => {
    const route = Object.entries(router.routesByPath).find(([known]) => known === path)?.[1];
    return route !== undefined && mayCall(session, route.options.staticData.can);
  };
  return (
    <>
      <Outlet />
      {isOpen && session && (
        <LatePalette
          commands={paletteCommands(session, {
            entries: navigationFor(session, router.routesByPath).flatMap(({ entries }) => entries),
            canOpen,
            showKeys: () => setHelpOpen(true),
            keysFor,
            signOut: () => void signOut(),
          })}
          here={commandsHere(keysFor)}
          path={router.state.location.pathname}
          onGo={(href) => router.history.push(href)}
          onClose={() => showPalette(false)}
        />
      )}
      <KeyboardHelpOnDemand opened={isHelpOpen} onClose={() => setHelpOpen(false)} />
    </>
  );
}

/**
 * Whether the palette must not open now: the cursor is in an editor, where the same keys create a link, or a dialog is
 * open. The user must close the dialog first.
 */
const isTaken = ({ target }: KeyboardEvent): boolean =>
  (target instanceof Element && target.closest('[contenteditable="true"]') !== null) ||
  document.querySelector('[aria-modal="true"]') !== null;

const usePaletteKeys = () => {
  useShortcuts(
    t`All screens`,
    [{ keys: `${commandKey} K`, does: t`Search and commands`, run: () => showPalette(true) }],
    {
      everywhere: true,
    },
  );
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const hasModifier = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      if (!hasModifier || event.key.toLowerCase() !== 'k' || event.defaultPrevented || isTaken(event)) return;
      event.preventDefault();
      showPalette(true);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => {
      window.removeEventListener('keydown', onKeyDown);
      showPalette(false);
    };
  }, []);
};
