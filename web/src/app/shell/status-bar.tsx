import { t } from '@lingui/core/macro';
import { health } from '@radwork/contract/identity/health';
import { notifyManager, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { query } from '#core/http/api.ts';
import { useIsConnected } from '#core/http/connection.ts';
import { useIsLive, usePollInterval } from '#core/live/live.ts';
import { useSession } from '#core/state/session.ts';
import { formatClock } from '#ui/formats/formats.ts';
import { KeyCaps } from '#ui/keyboard/key-caps.tsx';
import { useShortcutGroups } from '#ui/keyboard/shortcuts.ts';
import styles from './status-bar.module.css';

/** Interval of connection checks, in milliseconds. */
const heartbeat = 30_000;

/** Status bar: connection, organization, age of the data, shortcuts, version. */
export function StatusBar() {
  const about = useQuery({ ...query(health.about, {}), refetchInterval: usePollInterval(heartbeat) });
  const isConnected = useIsConnected();
  const session = useSession();
  return (
    <footer className={styles.bar}>
      <Connection isConnected={isConnected} />
      <span className={styles.tenant}>{session?.tenant.name}</span>
      <LastRefresh isConnected={isConnected} />
      <span className={styles.end}>
        <ScreenKeys />
        {about.data && <span className={styles.version}>v{about.data.version}</span>}
      </span>
    </footer>
  );
}

const connections = {
  live: { label: t`Live`, tone: 'success', meaning: t`Changes by other users appear at once` },
  polling: { label: t`Polling`, tone: 'info', meaning: t`Changes by other users appear within 30 seconds` },
  offline: { label: t`Offline`, tone: 'warning', meaning: t`The server does not respond` },
};

/** Shows whether the server responds and whether it sends live changes. */
function Connection({ isConnected }: { isConnected: boolean }) {
  const reached = useIsLive() ? connections.live : connections.polling;
  const { label, tone, meaning } = isConnected ? reached : connections.offline;
  return (
    <span className={styles.connection} role="status" data-tone={tone} title={meaning}>
      {label}
    </span>
  );
}

/** Shows the age of the oldest data on screen. A click refetches all data. */
function LastRefresh({ isConnected }: { isConnected: boolean }) {
  const client = useQueryClient();
  const cache = client.getQueryCache();
  const activeQueries = () =>
    cache
      .findAll({ type: 'active' })
      .filter(({ queryKey, state }) => queryKey[0] !== 'about' && state.dataUpdatedAt > 0);
  // Batches updates, because the cache may notify while other components render.
  const subscribe = useCallback((listener: () => void) => cache.subscribe(notifyManager.batchCalls(listener)), [cache]);
  const oldest = useSyncExternalStore(subscribe, () =>
    Math.min(...activeQueries().map(({ state }) => state.dataUpdatedAt)),
  );
  if (!Number.isFinite(oldest)) return null;
  const time = formatClock(new Date(oldest));
  return (
    <button
      type="button"
      className={styles.refresh}
      data-tone={isConnected ? undefined : 'warning'}
      title={t`Refresh all data on this screen`}
      onClick={() => void client.refetchQueries({ type: 'active' })}
    >
      {t`Updated ${time}`}
    </button>
  );
}

/** Shows the shortcuts that have a hint. If several shortcuts have the same hint, shows them together. */
function ScreenKeys() {
  const hinted = useShortcutGroups().flatMap(({ shortcuts }) => shortcuts.filter(({ hint }) => hint));
  const byHint = Object.groupBy(hinted, ({ hint = '' }) => hint);
  return (
    <span className={styles.keys} aria-hidden>
      {Object.entries(byHint).map(([hint, shortcuts = []]) => (
        <span key={hint} className={styles.key}>
          {shortcuts.map(({ keys }) => (
            <KeyCaps key={keys} keys={keys} />
          ))}
          {hint}
        </span>
      ))}
    </span>
  );
}
