import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { identityFieldLabels, type IdentityMark } from '@radwork/contract/identities';

/** Names both patients that a study may show, and the fields in which they differ. */
export function IdentityWords({ mark, patientName }: { mark: IdentityMark; patientName: string }) {
  const differing = mark.contradictions.map((field) => identityFieldLabels[field]).join(', ');
  return (
    <>
      <strong>{t`Identity to be confirmed:`}</strong> {patientName || t`no name`} {t`or`}{' '}
      {mark.otherName || t`another patient`}
      <Trans>. They have the same patient ID and differ in {differing}.</Trans>
    </>
  );
}
