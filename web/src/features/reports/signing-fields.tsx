import { Button, Checkbox, PasswordInput, SegmentedControl, TextInput } from '@mantine/core';
import { reauthenticationNeeded, signedStatement } from '@radwork/contract/report-parts';
import { singleSignOn, ssoJourney } from '@radwork/contract/single-sign-on';
import { IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, query } from '#core/api.ts';
import { useSession } from '#core/session.ts';
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
  const session = useSession();
  const hasSecondFactor = session?.user.secondFactor === 'SET';
  const [confirmed, setConfirmed] = useState<string>();
  const [isChecked, setIsChecked] = useState(false);
  const [isPasswordAsked, setIsPasswordAsked] = useState(false);
  const [isPasswordTried, setIsPasswordTried] = useState(false);
  const asks = error instanceof ApiError && error.error === reauthenticationNeeded;
  // From then on it stays: what is typed into it must not vanish with the next answer.
  if (asks && !isPasswordAsked) setIsPasswordAsked(true);
  const organisation = session?.tenant.subdomain ?? '';
  // Who signs in at their organisation's provider may have no password here: there they show once more who they are.
  const { data: provider } = useQuery({
    ...query(singleSignOn.offer, { query: { organisation } }),
    enabled: isPasswordAsked && organisation !== '',
  });

  const faults = {
    signature: isSignatureRequired && !signature && 'Signature is required',
    tick: confirmed !== subject && 'Please confirm the report accuracy',
    password:
      isPasswordAsked &&
      !provider?.isOn &&
      password === '' &&
      (hasSecondFactor ? 'Password or code is required' : 'Password is required'),
  };
  return {
    isSignatureRequired,
    isPasswordAsked,
    hasSecondFactor,
    provider: provider?.isOn ? provider : undefined,
    isConfirmed: confirmed === subject,
    /** What is to be mended; said once somebody has tried. */
    shown: {
      signature: isChecked && faults.signature,
      tick: isChecked && faults.tick,
      password:
        (error instanceof ApiError && (error.fields.password ?? error.fields.code)) ||
        (isPasswordTried && faults.password),
    },
    setSignature,
    setPassword,
    confirm: (isTicked: boolean) => setConfirmed(isTicked ? subject : undefined),
    /** What goes along to the server; undefined while something is missing. */
    check: () => {
      setIsChecked(true);
      if (isPasswordAsked) setIsPasswordTried(true);
      if (Object.values(faults).some(Boolean)) return undefined;
      return { ...(signature && { signatureData: signature }), ...(password && proofOf(password, hasSecondFactor)) };
    },
  };
};

/** Six digits are the code of an app: no password is that short. */
const proofOf = (typed: string, hasSecondFactor: boolean) => {
  const code = typed.replaceAll(/\s/g, '');
  return hasSecondFactor && /^\d{6}$/.test(code) ? { code } : { password: typed };
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
          label={signing.hasSecondFactor ? 'Your password, or the code of your app' : 'Your password'}
          description="To sign, show once more who you are. What you have written and drawn stays."
          withAsterisk={!signing.provider}
          autoComplete="current-password"
          maxLength={256}
          autoFocus
          error={shown.password}
          onChange={(event) => signing.setPassword(event.currentTarget.value)}
        />
      )}
      {signing.isPasswordAsked && signing.provider && <WayToProvider {...signing.provider} />}
    </>
  );
}

/** In another tab, so that what was written and drawn stays; nobody is signed out by it. */
function WayToProvider({ subdomain, label }: { subdomain: string; label: string }) {
  const path = ssoJourney.start.path.replace(':subdomain', encodeURIComponent(subdomain));
  return (
    <div className={styles.form}>
      <Button
        component="a"
        href={`${path}?again=1`}
        target="_blank"
        rel="noopener"
        variant="default"
        leftSection={<IconExternalLink size={16} aria-hidden />}
      >
        Sign in again with {label}
      </Button>
      <p className={styles.hint}>Or so, in a new tab. Come back then and finalize: the password stays empty.</p>
    </div>
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
