import { identityFieldLabels, type IdentityMark } from '@radwork/contract/identities';

/** Names both patients that a study may show, and the fields in which they differ. */
export function IdentityWords({ mark, patientName }: { mark: IdentityMark; patientName: string }) {
  const differing = mark.contradictions.map((field) => identityFieldLabels[field]).join(', ');
  return (
    <>
      <strong>Identity to be confirmed:</strong> {patientName || 'no name'} or {mark.otherName || 'another patient'}.
      They have the same patient ID and differ in {differing}.
    </>
  );
}
