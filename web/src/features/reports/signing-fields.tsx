import { Checkbox, PasswordInput, SegmentedControl, TextInput } from '@mantine/core';
import { reauthenticationNeeded, signedStatement } from '@radwork/contract/report-parts';
import { useState } from 'react';
import { ApiError } from '#core/api.ts';
import styles from './dialogs.module.css';
import { SignaturePad } from './signature-pad.tsx';
import { typedSignature } from './typed-signature.ts';

/**
 * What somebody does to sign: they confirm the text, put their name to it and, where the server asks, show who they
 * are. `subject` is the version they see: what they confirmed of one is not confirmed of another.
 */
export const useSigning = (isSignatureRequired: boolean, subject: string, error: Error | null) => {
  const [signature, setSignature] = useState<string>();
  const [password, setPassword] = useState('');
  const [confirmed, setConfirmed] = useState<string>();
  const [isChecked, setIsChecked] = useState(false);
  const [isPasswordAsked, setIsPasswordAsked] = useState(false);
  const [isPasswordTried, setIsPasswordTried] = useState(false);
  const asks = error instanceof ApiError && error.error === reauthenticationNeeded;
  // From then on it stays: what is typed into it must not vanish with the next answer.
  if (asks && !isPasswordAsked) setIsPasswordAsked(true);

  const faults = {
    signature: isSignatureRequired && !signature && 'Signature is required',
    tick: confirmed !== subject && 'Please confirm the report accuracy',
    password: isPasswordAsked && password === '' && 'Password is required',
  };
  return {
    isSignatureRequired,
    isPasswordAsked,
    isConfirmed: confirmed === subject,
    /** What is to be mended; said once somebody has tried. */
    shown: {
      signature: isChecked && faults.signature,
      tick: isChecked && faults.tick,
      password: (error instanceof ApiError && error.fields.password) || (isPasswordTried && faults.password),
    },
    setSignature,
    setPassword,
    confirm: (isTicked: boolean) => setConfirmed(isTicked ? subject : undefined),
    /** What goes along to the server; undefined while something is missing. */
    check: () => {
      setIsChecked(true);
      if (isPasswordAsked) setIsPasswordTried(true);
      if (Object.values(faults).some(Boolean)) return undefined;
      return { ...(signature && { signatureData: signature }), ...(password && { password }) };
    },
  };
};

type Signing = ReturnType<typeof useSigning>;

/** The fields in which somebody signs. */
export function SigningFields({ signing }: { signing: Signing }) {
  const { shown } = signing;
  return (
    <>
      {signing.isSignatureRequired && <SignatureField onChange={signing.setSignature} error={shown.signature} />}
      <Checkbox
        size="sm"
        label={signedStatement}
        checked={signing.isConfirmed}
        error={shown.tick}
        onChange={(event) => signing.confirm(event.currentTarget.checked)}
      />
      {signing.isPasswordAsked && (
        <PasswordInput
          label="Your password"
          description="To sign, show once more who you are. What you have written and drawn stays."
          withAsterisk
          autoComplete="current-password"
          maxLength={256}
          autoFocus
          error={shown.password}
          onChange={(event) => signing.setPassword(event.currentTarget.value)}
        />
      )}
    </>
  );
}

type SignatureProps = { onChange: (picture: string | undefined) => void; error: string | false };

function SignatureField({ onChange, error }: SignatureProps) {
  const [way, setWay] = useState<'draw' | 'type'>('draw');
  const choose = (next: string) => {
    setWay(next === 'type' ? 'type' : 'draw');
    onChange(undefined);
  };
  return (
    <div className={styles.form} role="group" aria-label="Signature">
      <SegmentedControl
        size="xs"
        value={way}
        onChange={choose}
        data={[
          { value: 'draw', label: 'Draw' },
          { value: 'type', label: 'Type' },
        ]}
      />
      {way === 'draw' ? (
        <SignaturePad onChange={onChange} />
      ) : (
        <TextInput
          label="Full name"
          withAsterisk
          autoComplete="name"
          maxLength={120}
          onChange={(event) => onChange(typedSignature(event.currentTarget.value))}
        />
      )}
      {error && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
