import { t } from '@lingui/core/macro';
import { mayCall, type SignedIn } from '@radwork/contract/identity/sessions';
import type { Access } from '@radwork/contract/core/access';
import { toast } from '#core/browser/toasts.ts';
import { readPreference, setPreference } from '#core/state/preferences.ts';
import type { PaletteGroup, PaletteItem } from '#insight/search/palette-items.ts';
import type { Entry } from '#app/shell/navigation.ts';
import { screenCommands } from '#app/shell/screen-commands.ts';
import { densities, densityPreference } from '#imaging/studies/list/use-density.ts';
import type { Command } from '#ui/keyboard/command.ts';
import { offeredCommands, runCommand } from '#ui/keyboard/commands.ts';

/** Screens without an entry in the sidebar. */
const further: readonly { to: string; label: string; can: Access; keywords?: string }[] = [
  { to: '/critical-findings', label: t`Critical findings`, can: 'report.view' },
  { to: '/queue-jobs', label: t`Import jobs`, can: 'study.import', keywords: t`queue download` },
  { to: '/studies/deleted', label: t`Recycle bin`, can: 'study.delete', keywords: t`deleted restore` },
];

type PaletteActions = {
  entries: readonly Entry[];
  canOpen: (path: string) => boolean;
  showKeys: () => void;
  /** Returns the keys of a command. */
  keysFor: (command: Command) => string;
  signOut: () => void;
};

const screensWithKeys: Partial<Record<string, Command>> = {
  '/studies': screenCommands.studies,
  '/patients': screenCommands.patients,
  '/reports': screenCommands.reports,
  '/notifications': screenCommands.notifications,
};

const changeDensity = (): void =>
  setPreference(densityPreference(), densityNow() === 'compact' ? 'standard' : 'compact');
const densityNow = () => readPreference(densityPreference(), densities);

/**
 * Returns the content of the command palette before a search: the sidebar entries and actions that the user may use.
 */
export const paletteCommands = (
  session: SignedIn,
  { entries, canOpen, showKeys, keysFor, signOut }: PaletteActions,
): PaletteGroup[] => {
  const may = (can: Access) => mayCall(session, can);
  const begin: (PaletteItem & { can: Access })[] = [
    {
      id: 'upload',
      label: t`Upload study`,
      keywords: t`dicom files send`,
      href: '/studies/create',
      can: 'study.create',
    },
    {
      id: 'register',
      label: t`Register study without images`,
      keywords: t`create new order`,
      href: '/studies/create?form=register',
      can: 'study.create',
    },
    {
      id: 'new-patient',
      label: t`Create patient`,
      keywords: t`new register`,
      href: '/patients/create',
      can: 'patient.edit',
    },
    {
      id: 'density',
      label: t`Change worklist density`,
      keywords: t`compact rows`,
      run: changeDensity,
      can: 'study.view',
    },
    {
      id: 'keys',
      label: t`Show keyboard shortcuts`,
      keywords: t`help`,
      run: showKeys,
      keys: keysFor(screenCommands.help),
      can: 'authenticated',
    },
    {
      id: 'change-keys',
      label: t`Change keys`,
      keywords: t`keyboard settings`,
      href: '/keyboard',
      can: 'authenticated',
    },
    { id: 'sign-out', label: t`Sign out`, keywords: t`logout leave`, run: signOut, can: 'authenticated' },
  ];
  const screens = entries
    .filter(({ to }) => canOpen(to))
    .map(({ to, label, keywords = '' }) => ({ to: to.replace('/{-$id}', ''), label, keywords }));
  const go = t`go open`;
  return [
    {
      name: t`Screens`,
      items: [...screens, ...further.filter(({ can }) => may(can))].map(
        ({ to, label, keywords = '' }): PaletteItem => ({
          id: `screen-${to.slice(1).replaceAll('/', '-')}`,
          label,
          keywords: `${go} ${keywords}`,
          href: to,
          ...(screensWithKeys[to] && { keys: keysFor(screensWithKeys[to]) }),
        }),
      ),
    },
    { name: t`Actions`, items: begin.filter(({ can }) => may(can)) },
  ];
};

const noLongerApplies = (): void => toast.failure(t`This command no longer applies. Nothing was done.`);

/**
 * Returns the commands of the open page, such as those on its study. Each runs the function of its button, as it is
 * when the user chooses it.
 */
export const commandsHere = (keysFor: PaletteActions['keysFor']): PaletteGroup => ({
  name: t`On this page`,
  items: offeredCommands()
    .filter(({ id }) => !id.startsWith('screen.'))
    .map((command): PaletteItem => {
      const { id, does, keywords } = command;
      const run = () => {
        if (!runCommand(id)) noLongerApplies();
      };
      return { id, label: does, keys: keysFor(command), run, ...(keywords && { keywords }) };
    }),
});
