import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { holdCauseWords, signingHolds, type SigningState } from '@radwork/contract/identity/signing-holds';
import type { User } from '@radwork/contract/identity/users';
import { useQuery } from '@tanstack/react-query';
import { query, useAction, errorMessageOf } from '#core/http/api.ts';
import { confirm } from '#ui/dialogs/confirm.tsx';
import { formatMoment } from '#ui/formats/formats.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import styles from './users.module.css';

/** Shows why signing with an account is on hold. A second administrator can confirm the account. */
export function SigningHold({ user }: { user: User }) {
  const { data } = useQuery(query(signingHolds.ofUser, { params: { id: user.id } }));
  const failed = t`Failed to confirm the account`;
  const { name } = user;
  const release = useAction(signingHolds.confirm, {
    done: t`Account of ${name} confirmed`,
    failed,
    refreshes: ['users'],
  });
  const confirmRelease = async () => {
    if (await confirm(confirming(user))) release.mutate({ params: { id: user.id } });
  };
  return (
    <section className={styles.access} aria-label={t`Signature on hold`}>
      <h3>{t`Signature on hold`}</h3>
      <p className="muted">{t`The user cannot sign, approve or acknowledge until another administrator confirms:`}</p>
      <ul>
        {data?.holds.map((hold) => (
          <li key={hold.id}>{actOf(hold)}</li>
        ))}
      </ul>
      <div className={styles.beside}>
        <p className="muted">{t`The administrator who made a change cannot confirm it.`}</p>
        <Button variant="default" loading={release.isPending} onClick={() => void confirmRelease()}>
          {t`Confirm account`}
        </Button>
      </div>
      {release.error && <Notice tone="danger">{errorMessageOf(release.error, failed)}</Notice>}
    </section>
  );
}

const actOf = ({ cause: code, placedByName: by, placedAt }: SigningState['holds'][number]): string => {
  const cause = holdCauseWords[code];
  const moment = formatMoment(placedAt);
  return t`${cause} by ${by}, ${moment}`;
};

const confirming = ({ name }: User) => ({
  question: t`Confirm the account of ${name}?`,
  consequence: (
    <p>
      <Trans>
        Speak to {name} first. Check that {name} has the account and that no other person knows its password. Everyone
        who uses the account then signs as {name}. The audit log records your name.
      </Trans>
    </p>
  ),
  verb: t`Confirm account`,
  tone: 'primary' as const,
});
