import { locale } from '#core/language.ts';
import { plural, t } from '@lingui/core/macro';
import { Progress } from '@mantine/core';
import { partVerified, type VerifyProgress } from '@radwork/contract/identity/audit';
import { errorMessageOf } from '#core/http/api.ts';
import { ListNotice } from '#ui/lists/list-notice.tsx';
import type { useVerification } from './use-verification.ts';
import styles from './verification-notice.module.css';

const maxListedProblems = 10;
const number = new Intl.NumberFormat(locale);

/** Shows progress and result of a verification. */
export function VerificationNotice({ verification }: { verification: ReturnType<typeof useVerification> }) {
  const { isPending, progress, data, error, reset } = verification;
  if (isPending) return <Running progress={progress} />;
  if (error) {
    return (
      <ListNotice tone="danger" onClose={reset}>
        {errorMessageOf(error, failureOf(error))}
      </ListNotice>
    );
  }
  if (!data) return null;
  const { isIntact, words, anchors, faults, faultCount } = data;
  const more = number.format(faultCount - maxListedProblems);
  return (
    <ListNotice tone={isIntact ? 'info' : 'danger'} onClose={reset}>
      {words}{' '}
      {anchors > 0 &&
        t`${plural(anchors, { one: 'Compared with # checksum stored outside the database.', other: 'Compared with # checksums stored outside the database.' })}`}
      {faults.length > 0 && (
        <ol className={styles.faults} aria-label={t`Faults`}>
          {faults.slice(0, maxListedProblems).map(({ kind, position, entryId, words: why }) => (
            <li key={`${kind} ${position} ${entryId}`}>
              {placeOf(position, entryId)}: {why}
            </li>
          ))}
        </ol>
      )}
      {faultCount > maxListedProblems && <p>{t`${more} more. The command verify-audit lists up to 100.`}</p>}
    </ListNotice>
  );
}

const failureOf = ({ message }: Error): string => t`Failed to verify the audit log. ${message}`;

const placeOf = (position: number | null, entryId: string | null): string => {
  if (position === null) {
    const id = entryId ?? '';
    return t`Entry ${id}`;
  }
  const place = number.format(position);
  return t`Position ${place}`;
};

const doing: Record<VerifyProgress['stage'], string> = {
  CHAIN: t`Verifying the audit log`,
  ENTRIES: t`Searching for inserted entries`,
};

const wordsOf = ({ stage, checked, of }: VerifyProgress): string => {
  const [work, done, total] = [doing[stage], number.format(checked), number.format(of)];
  return t`${work}: ${done} of ${total} entries`;
};

function Running({ progress }: { progress: VerifyProgress | undefined }) {
  return (
    <div className={styles.running} role="status">
      <span>{progress ? wordsOf(progress) : doing.CHAIN}</span>
      <Progress value={progress ? partVerified(progress) * 100 : 0} aria-label={t`Verified`} animated />
    </div>
  );
}
