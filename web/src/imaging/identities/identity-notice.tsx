import { t } from '@lingui/core/macro';
import { identities, type IdentityMark } from '@radwork/contract/imaging/identities';
import { Link } from '@tanstack/react-router';
import { may } from '#core/state/session.ts';
import { IdentityDifference } from '#ui/marks/identity-difference.tsx';
import { Notice } from '#ui/feedback/notice.tsx';

type Props = { study: { identity: IdentityMark | null; patient: { patientName: string } } };

/** Names both possible patients of a study while its identity question is open. */
export function IdentityNotice({ study: { identity, patient } }: Props) {
  if (!identity) return null;
  return (
    <Notice tone="danger" action={may(identities.decide) && <Link to="/identities">{t`Decide`}</Link>}>
      <IdentityDifference mark={identity} patientName={patient.patientName} />
    </Notice>
  );
}
