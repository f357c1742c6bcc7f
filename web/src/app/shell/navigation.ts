import { t } from '@lingui/core/macro';
import type { Access, UserType } from '@radwork/contract/core/access';
import { mayCall, type SignedIn } from '@radwork/contract/identity/sessions';
import {
  IconBell,
  IconBook2,
  IconBuilding,
  IconBuildingHospital,
  IconCloudSearch,
  IconFileSettings,
  IconFileText,
  IconHistory,
  type IconProps,
  IconLayoutDashboard,
  IconListDetails,
  IconLogin2,
  IconPlugConnected,
  IconShieldLock,
  IconStethoscope,
  IconTemplate,
  IconUserCheck,
  IconUserCog,
  IconUsers,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';

export type Entry = {
  to:
    | '/dashboard'
    | '/studies'
    | '/patients'
    | '/reports'
    | '/stydys-search'
    | '/atlas'
    | '/guidelines'
    | '/notifications'
    | '/identities'
    | '/templates'
    | '/roles'
    | '/tenants'
    | '/users/{-$id}'
    | '/audit'
    | '/remote-config-page'
    | '/single-sign-on'
    | '/reporting-settings'
    | '/organization';
  label: string;
  icon: ComponentType<IconProps>;
  /** User types that see this entry. Default: all user types. */
  seenBy?: readonly UserType[];
  /** Permission that is needed to see this entry. It is used where the user type does not decide. */
  can?: Access;
  /** Further words with which the palette finds this entry. */
  keywords?: string;
};

export type NavigationGroup = { heading?: string; label?: string; entries: readonly Entry[] };

/** Entry that a route declares. `can` defaults to the permission of the route. */
export type DeclaredEntry = Omit<Entry, 'to'> & { group: 'tools' | 'screens' };

type Routes = Readonly<
  Record<string, { options: { staticData?: { can: Access; entry?: DeclaredEntry | undefined } | undefined } }>
>;

const superAdmins: readonly UserType[] = ['SUPER_ADMIN'];
const admins: readonly UserType[] = ['SUPER_ADMIN', 'ADMIN'];

/**
 * Sidebar entries in order. The specification assigns them to user types; each page also checks permissions. Screens
 * that are not in the specification declare their entry with their route.
 */
const groups: readonly NavigationGroup[] = [
  {
    entries: [
      { to: '/dashboard', label: t`Dashboard`, icon: IconLayoutDashboard },
      { to: '/studies', label: t`Worklist & Studies`, icon: IconListDetails },
      { to: '/patients', label: t`Patients`, icon: IconUsers },
      { to: '/reports', label: t`Reports`, icon: IconFileText },
      { to: '/stydys-search', label: t`Remote Studies Search`, icon: IconCloudSearch },
      { to: '/atlas', label: t`Medical Atlas Management`, icon: IconBook2 },
      { to: '/guidelines', label: t`Guidelines Management`, icon: IconStethoscope },
      { to: '/notifications', label: t`Notifications`, icon: IconBell },
      {
        to: '/identities',
        label: t`Identity questions`,
        icon: IconUserCheck,
        can: 'patient.merge',
        keywords: t`patient mixed same id`,
      },
    ],
  },
  {
    heading: t`Admins`,
    label: t`Tools & Settings`,
    entries: [
      { to: '/templates', label: t`Templates Management`, icon: IconTemplate, seenBy: superAdmins },
      { to: '/roles', label: t`Roles Management`, icon: IconShieldLock, seenBy: superAdmins },
      { to: '/tenants', label: t`Tenants Management`, icon: IconBuildingHospital, seenBy: superAdmins },
      { to: '/users/{-$id}', label: t`Users Management`, icon: IconUserCog, seenBy: admins },
      { to: '/audit', label: t`Audit log`, icon: IconHistory, seenBy: admins },
      { to: '/remote-config-page', label: t`Remote Configurations`, icon: IconPlugConnected, seenBy: admins },
      { to: '/single-sign-on', label: t`Single sign-on`, icon: IconLogin2, seenBy: admins },
      { to: '/reporting-settings', label: t`Reporting settings`, icon: IconFileSettings, seenBy: admins },
      { to: '/organization', label: t`Organization`, icon: IconBuilding, seenBy: admins },
    ],
  },
];

const declaredEntries = (routes: Routes, group: DeclaredEntry['group']): Entry[] =>
  Object.entries(routes).flatMap(([path, { options }]) => {
    const { can, entry } = options.staticData ?? {};
    if (entry?.group !== group) return [];
    // The path of a route is always a valid link target.
    return [{ ...(can && { can }), ...entry, to: path as Entry['to'] }];
  });

/** Returns the sidebar entries of the user without empty groups. A patient has no entries. */
export const navigationFor = (session: Pick<SignedIn, 'user' | 'roles'>, routes: Routes): NavigationGroup[] =>
  session.user.userType === 'PATIENT'
    ? []
    : groups
        .map((group) => ({
          ...group,
          entries: [...group.entries, ...declaredEntries(routes, group.label ? 'tools' : 'screens')].filter(
            ({ seenBy, can }) => (!seenBy || seenBy.includes(session.user.userType)) && (!can || mayCall(session, can)),
          ),
        }))
        .filter(({ entries }) => entries.length > 0);
