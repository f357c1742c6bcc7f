import { statedIdentity } from '@radwork/contract/identities';
import type { SignedPart } from '@radwork/contract/report-parts';
import { Notice } from './notice.tsx';

/** Remarks on a signature: an unconfirmed account, and how the signer identified the patient. */
export function SigningRemarks({ signed }: { signed: Pick<SignedPart, 'signingRemark' | 'identityStatement'> }) {
  const remarks = [signed.signingRemark, statedIdentity(signed.identityStatement)].filter(Boolean);
  return remarks.map((remark) => (
    <Notice key={remark} tone="warning">
      {remark}
    </Notice>
  ));
}
