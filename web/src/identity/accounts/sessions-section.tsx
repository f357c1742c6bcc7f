import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { account, type AccountSession } from '@radwork/contract/identity/accounts';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { query, useAction } from '#core/http/api.ts';
import { confirm } from '#ui/dialogs/confirm.tsx';
import { formatAgo, formatMoment } from '#ui/formats/formats.ts';
import { useNow } from '#ui/formats/use-now.ts';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { StatusPill } from '#ui/marks/status-pill.tsx';
import { SettingsSection } from '#ui/forms/settings-section.tsx';
import styles from './account.module.css';

const about = t`Browsers in which you are signed in. If you do not recognize a session, end it and change your password.`;

/** Lists the user's sessions, with buttons to end them. */
export function SessionsSection() {
  const { data, error, refetch } = useQuery(query(account.sessions, {}));
  const navigate = useNavigate();
  const end = useAction(account.endSessions, { failed: t`Failed to sign out` });
  const endOthers = () => end.mutate({ body: { which: 'OTHERS' } });
  const endAll = async () => {
    const isSure = await confirm({
      question: t`Sign out everywhere?`,
      consequence: t`This also signs you out here. Unsaved changes will be lost.`,
      verb: t`Sign out everywhere`,
    });
    if (isSure) end.mutate({ body: { which: 'ALL' } }, { onSuccess: () => void navigate({ to: '/login' }) });
  };
  return (
    <SettingsSection title={t`Sessions`} about={about}>
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
              {t`Sign out of other sessions`}
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
  const { device, address, lastSeenAt } = session;
  const since = formatMoment(session.since);
  const lastUsed = lastSeenAt === null ? '' : formatAgo(lastSeenAt, now);
  const end = useAction(account.endSession, { done: t`Session ended`, failed: t`Failed to end the session` });
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
          {[address, t`since ${since}`, lastUsed && t`last used: ${lastUsed}`].filter(Boolean).join(' · ')}
        </p>
      </div>
      {!session.isCurrent && (
        <Button
          variant="default"
          size="compact-sm"
          loading={end.isPending}
          aria-label={t`Sign out ${device}, ${address}`}
          onClick={() => end.mutate({ params: { id: session.id } })}
        >
          {t`Sign out`}
        </Button>
      )}
    </li>
  );
}
