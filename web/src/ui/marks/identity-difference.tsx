import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { identityFieldLabels, type IdentityMark } from '@radwork/contract/imaging/identities';

/** Names both patients to whom a study may belong, and the fields in which they differ. */
export function IdentityDifference({ mark, patientName }: { mark: IdentityMark; patientName: string }) {
  const differing = mark.contradictions.map((field) => identityFieldLabels[field]).join(', ');
  const name = patientName || t`no name`;
  const otherName = mark.otherName || t`another patient`;
  return (
    <Trans>
      <strong>Identity to be confirmed:</strong> {name} or {otherName}. They have the same patient ID and differ in{' '}
      {differing}.
    </Trans>
  );
}
