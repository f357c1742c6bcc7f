import { locale } from '#core/language.ts';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Progress } from '@mantine/core';
import { partVerified, type VerifyProgress } from '@radwork/contract/audit';
import { wordsFor } from '#core/api.ts';
import { ListNotice } from '#ui/list-notice.tsx';
import type { useVerification } from './use-verification.ts';
import styles from './verification-notice.module.css';

const told = 10;
const number = new Intl.NumberFormat(locale);

/** Shows the progress and the result of a verification. */
export function VerificationNotice({ verification }: { verification: ReturnType<typeof useVerification> }) {
  const { isPending, progress, data, error, reset } = verification;
  if (isPending) return <Running progress={progress} />;
  if (error) {
    return (
      <ListNotice tone="danger" onClose={reset}>
        {wordsFor(error, t`The audit could not be verified. ${error.message}`)}
      </ListNotice>
    );
  }
  if (!data) return null;
  const { isIntact, words, anchors, faults, faultCount } = data;
  return (
    <ListNotice tone={isIntact ? 'info' : 'danger'} onClose={reset}>
      {words} {anchors > 0 && t`Compared with ${number.format(anchors)} heads kept outside of the database.`}
      {faults.length > 0 && (
        <ol className={styles.faults} aria-label={t`Faults`}>
          {faults.slice(0, told).map(({ kind, position, entryId, words: why }) => (
            <li key={`${kind} ${position} ${entryId}`}>
              {position === null ? t`Entry ${entryId ?? ''}` : t`Position ${number.format(position)}`}: {why}
            </li>
          ))}
        </ol>
      )}
      {faultCount > told && (
        <p>
          <Trans>{number.format(faultCount - told)} more; the command verify-audit names up to 100.</Trans>
        </p>
      )}
    </ListNotice>
  );
}

const doing: Record<VerifyProgress['stage'], string> = {
  CHAIN: 'Verifying the audit',
  ENTRIES: 'Looking for entries that were slipped in',
};

const wordsOf = ({ stage, checked, of }: VerifyProgress): string =>
  `${doing[stage]}: ${number.format(checked)} of ${number.format(of)} entries`;

function Running({ progress }: { progress: VerifyProgress | undefined }) {
  return (
    <div className={styles.running} role="status">
      <span>{progress ? wordsOf(progress) : doing.CHAIN}</span>
      <Progress value={progress ? partVerified(progress) * 100 : 0} aria-label={t`Verified`} animated />
    </div>
  );
}
