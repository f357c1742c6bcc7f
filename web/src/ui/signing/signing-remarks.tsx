import { statedIdentity } from '@radwork/contract/imaging/identities';
import type { SignedPart } from '@radwork/contract/reading/report-parts';
import { Notice } from '#ui/feedback/notice.tsx';

/** Notes about a signature: an unconfirmed account, and how the signer identified the patient. */
export function SigningRemarks({ signed }: { signed: Pick<SignedPart, 'signingRemark' | 'identityStatement'> }) {
  const remarks = [signed.signingRemark, statedIdentity(signed.identityStatement)].filter(Boolean);
  return remarks.map((remark) => (
    <Notice key={remark} tone="warning">
      {remark}
    </Notice>
  ));
}
