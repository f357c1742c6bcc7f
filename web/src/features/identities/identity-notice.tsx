import { identities, identityFieldLabels, type IdentityMark } from '@radwork/contract/identities';
import { Link } from '@tanstack/react-router';
import { may } from '#core/session.ts';
import { Notice } from '#ui/notice.tsx';

type Props = { study: { identity: IdentityMark | null; patient: { patientName: string } } };

/** Names both people while it is open whose images a study has. */
export function IdentityNotice({ study: { identity, patient } }: Props) {
  if (!identity) return null;
  return (
    <Notice tone="danger" action={may(identities.decide) && <Link to="/identities">Decide</Link>}>
      <IdentityWords mark={identity} patientName={patient.patientName} />
    </Notice>
  );
}

export function IdentityWords({ mark, patientName }: { mark: IdentityMark; patientName: string }) {
  const differing = mark.contradictions.map((field) => identityFieldLabels[field]).join(', ');
  return (
    <>
      <strong>Identity to be confirmed:</strong> {patientName || 'no name'} or {mark.otherName || 'another patient'}.
      They have the same patient ID and differ in {differing}.
    </>
  );
}
