import { t } from '@lingui/core/macro';
import { IconChevronRight } from '@tabler/icons-react';
import { Link, useLocation, useRouter } from '@tanstack/react-router';
import { useSession } from '#core/state/session.ts';
import styles from './breadcrumb.module.css';
import { navigationFor } from './navigation.ts';
import { useTitle } from './use-title.ts';

/** Shows the organization on the first screen of a section. On other screens, shows the path back. */
export function Breadcrumb() {
  const session = useSession();
  const pathname = useLocation({ select: (location) => location.pathname });
  const title = useTitle();
  const { routesByPath } = useRouter();
  const entries = session ? navigationFor(session, routesByPath).flatMap((group) => group.entries) : [];
  const part = entries.find(({ to }) => pathname === rootOf(to) || pathname.startsWith(`${rootOf(to)}/`));
  if (!part || pathname === rootOf(part.to)) return <span className={styles.here}>{session?.tenant.name}</span>;
  return (
    <nav className={styles.crumbs} aria-label={t`Breadcrumb`}>
      <Link to={part.to} className={styles.back}>
        {part.label}
      </Link>
      <IconChevronRight size={14} aria-hidden />
      <span className={styles.here} aria-current="page">
        {title}
      </span>
    </nav>
  );
}

const rootOf = (to: string) => to.replace('/{-$id}', '');
