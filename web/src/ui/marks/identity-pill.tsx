import { t } from '@lingui/core/macro';
import { type IdentityMark, identityStateLabels } from '@radwork/contract/imaging/identities';
import { StatusPill } from './status-pill.tsx';

type Props = { mark: IdentityMark | null | undefined; patientName: string };

/** The mark of a row whose images may show another person, who is named in its tooltip. */
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
