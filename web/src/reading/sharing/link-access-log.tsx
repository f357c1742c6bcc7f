import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import type { LinkOutcome } from '@radwork/contract/reading/sharing';
import { reportLinks } from '@radwork/contract/reading/sharing';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { query, errorMessageOf } from '#core/http/api.ts';
import { formatMoment } from '#ui/formats/formats.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import { StatusPill } from '#ui/marks/status-pill.tsx';
import styles from './share-dialog.module.css';

const size = 10;

const outcomes: Record<LinkOutcome, string> = {
  OPENED: t`Opened`,
  WRONG_CODE: t`Wrong code`,
  LOCKED: t`Rejected: locked after wrong codes`,
  EXPIRED: t`Rejected: expired`,
  REVOKED: t`Rejected: revoked`,
  USED_UP: t`Rejected: limit of opens reached`,
};

/** Log of attempts to open the share links of a report: time, outcome and network. */
export function LinkAccessLog({ reportId }: { reportId: string }) {
  const [page, setPage] = useState(0);
  const opens = useQuery({
    ...query(reportLinks.opens, { params: { id: reportId }, query: { page, size } }),
    // Always fetches, because no event tells the browser that a recipient opened a link.
    refetchOnMount: 'always',
  });
  if (opens.error) return <Notice tone="danger">{errorMessageOf(opens.error, t`Failed to load the log`)}</Notice>;
  const { data } = opens;
  if (!data || data.totalElements === 0) return null;
  return (
    <section className={styles.log} aria-label={t`Log of opens`}>
      <h3>{t`Log of opens`}</h3>
      <div className={styles.rows}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t`Time`}</th>
              <th scope="col">{t`Outcome`}</th>
              <th scope="col">{t`Network`}</th>
            </tr>
          </thead>
          <tbody>
            {data.content.map(({ at, outcome, network, isEarlierLink }) => (
              <tr key={`${at} ${outcome}`}>
                <td className="numeric">{formatMoment(at)}</td>
                <td>
                  <StatusPill
                    tone={outcome === 'OPENED' ? 'success' : 'warning'}
                    shape={outcome === 'OPENED' ? 'dot' : 'diamond'}
                    label={outcomes[outcome]}
                  />
                  {isEarlierLink && <span className="muted"> {t`earlier link`}</span>}
                </td>
                <td className="mono">{network || t`unknown`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {data.totalPages > 1 && (
        <div className={styles.buttons}>
          <Button variant="default" disabled={page === 0} onClick={() => setPage(page - 1)}>
            {t`Newer`}
          </Button>
          <Button variant="default" disabled={page + 1 >= data.totalPages} onClick={() => setPage(page + 1)}>
            {t`Older`}
          </Button>
        </div>
      )}
    </section>
  );
}
