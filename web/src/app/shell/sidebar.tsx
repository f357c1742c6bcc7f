import { t } from '@lingui/core/macro';
import { Tooltip } from '@mantine/core';
import {
  IconChevronDown,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconSettings,
} from '@tabler/icons-react';
import { Link, useLocation, useMatchRoute, useRouter } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { usePreference } from '#core/state/preferences.ts';
import { useSession } from '#core/state/session.ts';
import { ProductLogo } from '#ui/layout/product-logo.tsx';
import { type NavigationGroup, navigationFor } from './navigation.ts';
import styles from './sidebar.module.css';

type Props = { isRail?: boolean; onToggle?: () => void; onNavigate?: () => void };

/** Sidebar. With `isRail`, it shows only icons. In the drawer of a phone, it closes after a choice. */
export function Sidebar({ isRail = false, onToggle, onNavigate }: Props) {
  const session = useSession();
  const { routesByPath } = useRouter();
  const groups = session ? navigationFor(session, routesByPath) : [];
  return (
    <nav className={styles.sidebar} aria-label={t`Main`} data-rail={isRail || undefined}>
      <div className={styles.brand}>
        <ProductLogo nameless={isRail} />
      </div>
      <div className={styles.groups}>
        {groups.map((group) => (
          <Group key={group.label ?? ''} group={group} isRail={isRail} onNavigate={onNavigate} />
        ))}
      </div>
      {onToggle && (
        <button type="button" className={styles.item} aria-expanded={!isRail} onClick={onToggle}>
          {isRail ? <IconLayoutSidebarLeftExpand {...icon} /> : <IconLayoutSidebarLeftCollapse {...icon} />}
          <span className={styles.label}>{isRail ? t`Expand` : t`Collapse`}</span>
        </button>
      )}
    </nav>
  );
}

const icon = { size: 17, stroke: 1.6, 'aria-hidden': true } as const;

type GroupProps = { group: NavigationGroup; isRail: boolean; onNavigate: (() => void) | undefined };

function Group({ group, isRail, onNavigate }: GroupProps) {
  const { isOpen, toggle } = useOpenness(group);
  const listId = useId();
  if (!group.label) return <Entries group={group} isRail={isRail} onNavigate={onNavigate} />;
  return (
    <>
      <h2 className={styles.heading}>{group.heading}</h2>
      <button
        type="button"
        className={styles.item}
        aria-expanded={isOpen}
        aria-controls={listId}
        title={isRail ? group.label : undefined}
        onClick={toggle}
      >
        <IconSettings {...icon} />
        <span className={styles.label}>{group.label}</span>
        <IconChevronDown className={styles.chevron} size={15} aria-hidden />
      </button>
      {isOpen && <Entries id={listId} group={group} isRail={isRail} onNavigate={onNavigate} nested />}
    </>
  );
}

/**
 * Whether the group is open, and a function to toggle it. The group of the current screen is open unless the user
 * closes it there. Otherwise this browser remembers the state.
 */
const useOpenness = ({ entries }: NavigationGroup) => {
  const [openness, setOpenness] = usePreference('sidebar.tools', ['closed', 'open']);
  const [closedAt, setClosedAt] = useState<string>();
  const pathname = useLocation({ select: (location) => location.pathname });
  const matches = useMatchRoute();
  const holdsScreen = entries.some(({ to }) => matches({ to, fuzzy: true }) !== false);
  const isOpen = holdsScreen ? closedAt !== pathname : openness === 'open';
  return {
    isOpen,
    toggle: () => {
      setOpenness(isOpen ? 'closed' : 'open');
      setClosedAt(isOpen ? pathname : undefined);
    },
  };
};

function Entries({ id, group, isRail, onNavigate, nested }: GroupProps & { id?: string; nested?: boolean }) {
  return (
    <ul id={id} className={styles.list} data-nested={nested}>
      {group.entries.map(({ to, label, icon: Icon }) => (
        <li key={to}>
          <Tooltip label={label} position="right" disabled={!isRail}>
            <Link to={to} className={styles.item} onClick={onNavigate}>
              <Icon {...icon} />
              <span className={styles.label}>{label}</span>
            </Link>
          </Tooltip>
        </li>
      ))}
    </ul>
  );
}
