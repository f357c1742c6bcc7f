import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { holdCauseWords, signingHolds } from '@radwork/contract/signing-holds';
import type { User } from '@radwork/contract/users';
import { useQuery } from '@tanstack/react-query';
import { query, useAction, wordsFor } from '#core/api.ts';
import { confirm } from '#ui/confirm.tsx';
import { formatMoment } from '#ui/formats.ts';
import { Notice } from '#ui/notice.tsx';
import styles from './users.module.css';

/** Shows the events that put an account's signature on hold. A second administrator can confirm them. */
export function HeldSignature({ user }: { user: User }) {
  const { data } = useQuery(query(signingHolds.ofUser, { params: { id: user.id } }));
  const failed = t`Failed to confirm the account`;
  const release = useAction(signingHolds.confirm, {
    done: t`The account of ${user.username} is confirmed`,
    failed,
    refreshes: ['users'],
  });
  const ask = async () => {
    if (await confirm(confirming(user))) release.mutate({ params: { id: user.id } });
  };
  return (
    <section className={styles.access} aria-label={t`Signature on hold`}>
      <h3>{t`Signature on hold`}</h3>
      <p className="muted">{t`They cannot sign, approve or acknowledge until this is confirmed:`}</p>
      <ul>
        {data?.holds.map(({ id, cause, placedByName, placedAt }) => (
          <li key={id}>
            <Trans>
              {holdCauseWords[cause]} by {placedByName}, {formatMoment(placedAt)}
            </Trans>
          </li>
        ))}
      </ul>
      <div className={styles.beside}>
        <p className="muted">{t`The person who made a change cannot confirm it.`}</p>
        <Button variant="default" loading={release.isPending} onClick={() => void ask()}>
          {t`Confirm account`}
        </Button>
      </div>
      {release.error && <Notice tone="danger">{wordsFor(release.error, failed)}</Notice>}
    </section>
  );
}

const confirming = ({ username, name }: User) => ({
  question: t`Confirm the account ${username}?`,
  consequence: (
    <p>
      <Trans>
        Speak to {name} first. Make sure that they have the account, and that nobody else knows its password. From then
        on whoever uses the account signs as {name}. Your name stands in the audit.
      </Trans>
    </p>
  ),
  verb: t`Confirm account`,
  tone: 'primary' as const,
});
