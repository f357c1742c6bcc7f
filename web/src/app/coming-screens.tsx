import { Button } from '@mantine/core';
import type { Access } from '@radwork/contract/access';
import { IconTools } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ScreenTitle } from '#ui/screen-title.tsx';
import { EmptyState } from '#ui/states.tsx';
import { places } from './route-names.ts';

type ComingScreen = {
  title: string;
  can: Access;
  /** What will be there. */
  holds: string;
  /** The issue that builds it. */
  issue: number;
};

/**
 * Every address of the product whose screen is not built yet, in one place so that none is forgotten. Building one
 * means deleting its line here and giving its route in router.tsx the screen.
 */
export const comingScreens = {
  '/dashboard': {
    title: 'Dashboard',
    can: 'dashboard.view',
    holds:
      'What waits to be read, what is overdue, your drafts and reviews, open critical results, volume and turnaround.',
    issue: 6,
  },
  '/atlas': {
    title: 'Medical Atlas Management',
    can: 'authenticated',
    holds: 'Reference cases with pictures and documents, by modality and body part.',
    issue: 6,
  },
  '/guidelines': {
    title: 'Guidelines Management',
    can: 'authenticated',
    holds: 'Clinical guidelines of your organisation with their attachments.',
    issue: 6,
  },
  '/audit': {
    title: 'Audit log',
    can: 'audit.view',
    holds: 'Who saw or changed what, when and from where, in a chain that shows tampering.',
    issue: 6,
  },
  '/roles': {
    title: 'Roles Management',
    can: 'role.manage',
    holds: 'Roles and the permissions they carry.',
    issue: 6,
  },
  '/tenants': {
    title: 'Tenants Management',
    can: 'tenant.manage',
    holds: 'Organisations on this installation with their settings.',
    issue: 6,
  },
  '/users/{-$id}': {
    title: 'Users Management',
    can: 'user.manage',
    holds: 'People of your organisation, their roles and their access.',
    issue: 6,
  },
  '/usviewer/{-$id}': {
    title: 'Ultrasound viewer',
    can: 'study.view',
    holds: 'Cine first, calibrated regions, frame rate and a grid of clips.',
    issue: 7,
  },
  '/mpr/$id/{-$series}': {
    title: 'MPR / 3D viewer',
    can: 'study.view',
    holds: 'Three linked planes with crosshairs, slab projections and volume rendering.',
    issue: 7,
  },
  '/petct/{-$id}': {
    title: 'Fusion viewer',
    can: 'study.view',
    holds: 'PET over CT with opacity, colour maps, SUV and a rotating projection.',
    issue: 7,
  },
} satisfies Record<string, ComingScreen>;

export type ComingPath = keyof typeof comingScreens;

/** A plain page that says what will stand at this address. */
function ComingScreenPage({ screen, action }: { screen: ComingScreen; action: ReactNode }) {
  return (
    <>
      <ScreenTitle title={screen.title} />
      <EmptyState
        icon={IconTools}
        title="This screen is not built yet"
        detail={`${screen.holds} It comes with issue ${screen.issue}.`}
        action={action}
      />
    </>
  );
}

const toStudies = (
  <Button variant="default" renderRoot={(props) => <Link {...places.studies()} {...props} />}>
    Go to the worklist
  </Button>
);

/** What a route of a screen to come says of itself. */
export const coming = (path: ComingPath, action: ReactNode = toStudies) => {
  const screen: ComingScreen = comingScreens[path];
  return {
    staticData: { title: screen.title, can: screen.can },
    component: () => <ComingScreenPage screen={screen} action={action} />,
  };
};
