import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { account, type AccountSession } from '@radwork/contract/account';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { query, useAction } from '#core/api.ts';
import { confirm } from '#ui/confirm.tsx';
import { formatAgo, formatMoment } from '#ui/formats.ts';
import { useNow } from '#ui/now.ts';
import { ErrorState, Skeleton } from '#ui/states.tsx';
import { StatusPill } from '#ui/status-pill.tsx';
import { SettingsSection } from '#ui/settings-section.tsx';
import styles from './account.module.css';

const about = t`Every browser in which you are signed in now. If you do not know one, end it and change your password.`;

/** The user's sessions, with buttons to end them. */
export function SessionsSection() {
  const { data, error, refetch } = useQuery(query(account.sessions, {}));
  const navigate = useNavigate();
  const end = useAction(account.endSessions, { failed: t`Failed to sign out` });
  const endOthers = () => end.mutate({ body: { which: 'OTHERS' } });
  const endAll = async () => {
    const isSure = await confirm({
      question: t`Sign out everywhere?`,
      consequence: t`You are signed out here, too. What you have not saved is lost.`,
      verb: t`Sign out everywhere`,
    });
    if (isSure) end.mutate({ body: { which: 'ALL' } }, { onSuccess: () => void navigate({ to: '/login' }) });
  };
  return (
    <SettingsSection title={t`Where you are signed in`} about={about}>
      {error && !data && (
        <ErrorState failed={t`Failed to load your sessions`} error={error} onRetry={() => void refetch()} />
      )}
      {!error && !data && <Skeleton lines={3} label={t`Loading your sessions`} />}
      {data && (
        <>
          <ul className={styles.sessions}>
            {data.map((session) => (
              <SessionRow key={session.id} session={session} />
            ))}
          </ul>
          <div className={styles.buttons}>
            <Button variant="default" loading={end.isPending} disabled={data.length < 2} onClick={endOthers}>
              {t`Sign out everywhere else`}
            </Button>
            <Button variant="default" onClick={() => void endAll()}>
              {t`Sign out everywhere`}
            </Button>
          </div>
        </>
      )}
    </SettingsSection>
  );
}

function SessionRow({ session }: { session: AccountSession }) {
  const now = useNow(60_000);
  const end = useAction(account.endSession, { done: t`Signed out there`, failed: t`Failed to sign out there` });
  const Icon = /iPhone|iPad|Android/.test(session.device) ? IconDeviceMobile : IconDeviceDesktop;
  return (
    <li className={styles.session}>
      <Icon size={20} stroke={1.5} aria-hidden />
      <div className={styles.where}>
        <p className={styles.device}>
          {session.device}
          {session.isCurrent && <StatusPill tone="success" label={t`This session`} />}
        </p>
        <p className={styles.address}>
          <Trans>
            {session.address} · since {formatMoment(session.since)}
          </Trans>
          {session.lastSeenAt && t` · last used ${formatAgo(session.lastSeenAt, now).toLowerCase()}`}
        </p>
      </div>
      {!session.isCurrent && (
        <Button
          variant="default"
          size="compact-sm"
          loading={end.isPending}
          aria-label={t`Sign out ${session.device}, ${session.address}`}
          onClick={() => end.mutate({ params: { id: session.id } })}
        >
          {t`Sign out`}
        </Button>
      )}
    </li>
  );
}
