import { t } from '@lingui/core/macro';
import { type IdentityMark, identityStateLabels } from '@radwork/contract/imaging/identities';
import { StatusPill } from './status-pill.tsx';

type Props = { mark: IdentityMark | null | undefined; patientName: string };

/** Mark for a row whose images may belong to another patient. The tooltip names that patient. */
export function IdentityPill({ mark, patientName }: Props) {
  if (!mark) return null;
  const name = patientName || t`No name`;
  const otherName = mark.otherName || t`another patient`;
  return (
    <span title={t`${name} or ${otherName}`}>
      <StatusPill tone="danger" shape="diamond" label={identityStateLabels.OPEN} />
    </span>
  );
}
