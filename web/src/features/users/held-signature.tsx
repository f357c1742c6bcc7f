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
  const failed = 'Failed to confirm the account';
  const release = useAction(signingHolds.confirm, {
    done: `The account of ${user.username} is confirmed`,
    failed,
    refreshes: ['users'],
  });
  const ask = async () => {
    if (await confirm(confirming(user))) release.mutate({ params: { id: user.id } });
  };
  return (
    <section className={styles.access} aria-label="Signature on hold">
      <h3>Signature on hold</h3>
      <p className="muted">They cannot sign, approve or acknowledge until this is confirmed:</p>
      <ul>
        {data?.holds.map(({ id, cause, placedByName, placedAt }) => (
          <li key={id}>
            {holdCauseWords[cause]} by {placedByName}, {formatMoment(placedAt)}
          </li>
        ))}
      </ul>
      <div className={styles.beside}>
        <p className="muted">The person who made a change cannot confirm it.</p>
        <Button variant="default" loading={release.isPending} onClick={() => void ask()}>
          Confirm account
        </Button>
      </div>
      {release.error && <Notice tone="danger">{wordsFor(release.error, failed)}</Notice>}
    </section>
  );
}

const confirming = ({ username, name }: User) => ({
  question: `Confirm the account ${username}?`,
  consequence: (
    <p>
      Speak to {name} first. Make sure that they have the account, and that nobody else knows its password. From then on
      whoever uses the account signs as {name}. Your name stands in the audit.
    </p>
  ),
  verb: 'Confirm account',
  tone: 'primary' as const,
});
