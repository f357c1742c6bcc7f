import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Checkbox, SegmentedControl, TextInput } from '@mantine/core';
import { signedStatement } from '@radwork/contract/reading/report-parts';
import { ProofFields } from '#ui/signing/proof-fields.tsx';
import { SavedSignature } from '#ui/signing/saved-signature.tsx';
import styles from './dialogs.module.css';
import { SignaturePad } from '#ui/signing/signature-pad.tsx';
import type { Signing, SignatureMethod } from './use-signing.ts';

/** Input fields of a signature. */
export function SigningFields({ signing }: { signing: Signing }) {
  const { shown } = signing;
  return (
    <>
      {signing.isSignatureRequired && <SignatureField signing={signing} />}
      <Checkbox
        size="sm"
        label={signedStatement}
        checked={signing.isConfirmed}
        error={shown.tick}
        onChange={(event) => signing.confirm(event.currentTarget.checked)}
      />
      <ProofFields proof={signing.proof} />
    </>
  );
}

const signatureMethods: { value: SignatureMethod; label: string }[] = [
  { value: 'saved', label: t`Saved` },
  { value: 'draw', label: t`Draw` },
  { value: 'type', label: t`Type` },
];

function SignatureField({ signing }: { signing: Signing }) {
  const { way, choose, ownName, saved } = signing;
  const error = signing.shown.signature;
  return (
    <div className={styles.form} role="group" aria-label={t`Signature`}>
      <SegmentedControl
        size="xs"
        value={way}
        onChange={(next) => choose(signatureMethods.find(({ value }) => value === next)?.value ?? 'draw')}
        data={saved ? signatureMethods : signatureMethods.slice(1)}
      />
      {way === 'saved' && saved && <SavedSignature picture={saved} />}
      {way === 'draw' && <Drawing signing={signing} />}
      {way === 'type' && (
        <TextInput label={t`Full name`} description={t`From your account. Read-only.`} value={ownName} readOnly />
      )}
      {way !== 'type' && (
        <p className={styles.hint}>
          <Trans>
            You sign as <strong>{ownName}</strong>.
          </Trans>
        </p>
      )}
      {error && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

function Drawing({ signing }: { signing: Signing }) {
  const { setDrawn, isSaving, setIsSaving, saved } = signing;
  return (
    <>
      <SignaturePad onChange={setDrawn} />
      <Checkbox
        size="xs"
        label={t`Save this signature`}
        description={saved ? t`Replaces your saved signature.` : t`Available for your next signatures.`}
        checked={isSaving}
        onChange={(event) => setIsSaving(event.currentTarget.checked)}
      />
    </>
  );
}
