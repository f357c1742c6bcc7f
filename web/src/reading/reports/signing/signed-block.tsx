import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type SignedPart, signerText } from '@radwork/contract/reading/report-parts';
import { IconShieldCheck } from '@tabler/icons-react';
import { formatMoment } from '#ui/formats/formats.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import { SigningRemarks } from '#ui/signing/signing-remarks.tsx';
import styles from './signed-parts.module.css';

type Props = {
  signed: Pick<
    SignedPart,
    | 'finalizedBy'
    | 'finalizedAt'
    | 'statement'
    | 'signatureData'
    | 'signingRemark'
    | 'identityStatement'
    | 'contentHash'
    | 'isUnchanged'
  >;
};

/** Signer, time and statement of a signature, and whether the text is still the signed text. */
export function SignedBlock({ signed }: Props) {
  const { finalizedBy, finalizedAt, statement, signatureData, contentHash, isUnchanged } = signed;
  const signerName = finalizedBy.name;
  const signer = signerText(finalizedBy);
  const moment = formatMoment(finalizedAt);
  return (
    <footer className={styles.signature}>
      {signatureData && <img src={signatureData} alt={t`Signature of ${signerName}`} />}
      <p>
        <Trans>
          Signed by <strong>{signer}</strong>, <span className="numeric">{moment}</span>
        </Trans>
      </p>
      {statement && <p className={styles.statement}>“{statement}”</p>}
      <SigningRemarks signed={signed} />
      {isUnchanged ? (
        <p className={styles.unchanged}>
          <IconShieldCheck size={15} stroke={1.7} aria-hidden /> {t`Text unchanged since signing`}
        </p>
      ) : (
        <NotAsSigned />
      )}
      <p className={styles.hash}>
        SHA-256 <span className="mono">{contentHash}</span>
      </p>
    </footer>
  );
}

export function NotAsSigned() {
  return (
    <Notice tone="danger">
      <Trans>
        <strong>This is not the text that was signed.</strong> Its SHA-256 checksum differs. Do not rely on this text.
        Contact your administrator.
      </Trans>
    </Notice>
  );
}
