import { Button, Checkbox, PasswordInput, SegmentedControl, TextInput } from '@mantine/core';
import { reauthenticationNeeded, signedStatement } from '@radwork/contract/report-parts';
import { singleSignOn, ssoJourney } from '@radwork/contract/single-sign-on';
import { IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { ApiError, query } from '#core/api.ts';
import { renewSession } from '#core/confirm-session.ts';
import { useSession } from '#core/session.ts';
import styles from './dialogs.module.css';
import { SignaturePad } from './signature-pad.tsx';
import { typedSignature } from './typed-signature.ts';

/** How a signature is made. */
type Way = 'draw' | 'type';

/**
 * What somebody does to sign: they confirm the text, put their name to it and, where the server asks, show who they
 * are. `subject` is the version they see: what they confirmed of one is not confirmed of another.
 */
export const useSigning = (isSignatureRequired: boolean, subject: string, error: Error | null) => {
  const [way, setWay] = useState<Way>('draw');
  const [drawn, setDrawn] = useState<string>();
  const [password, setPassword] = useState('');
  const session = useSession();
  const ownName = session?.user.name ?? '';
  const signature = useMemo(() => (way === 'type' ? typedSignature(ownName) : drawn), [way, ownName, drawn]);
  const isRenamed = error instanceof ApiError && error.fields.typedName !== undefined;
  useEffect(() => {
    // The account got another name since this page learned it. The server's refusal stays on the screen either way.
    if (isRenamed) renewSession().catch(() => {});
  }, [isRenamed]);
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
    way,
    choose: (next: Way) => {
      setWay(next);
      setDrawn(undefined);
    },
    ownName,
    setDrawn,
    setPassword,
    confirm: (isTicked: boolean) => setConfirmed(isTicked ? subject : undefined),
    /** What goes along to the server; undefined while something is missing. */
    check: () => {
      setIsChecked(true);
      if (isPasswordAsked) setIsPasswordTried(true);
      if (Object.values(faults).some(Boolean)) return undefined;
      return {
        ...(signature && { signatureData: signature }),
        ...(signature && way === 'type' && { typedName: ownName }),
        ...(password && proofOf(password, hasSecondFactor)),
      };
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
      {signing.isSignatureRequired && <SignatureField signing={signing} />}
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

function SignatureField({ signing }: { signing: Signing }) {
  const { way, choose, ownName, setDrawn } = signing;
  const error = signing.shown.signature;
  return (
    <div className={styles.form} role="group" aria-label="Signature">
      <SegmentedControl
        size="xs"
        value={way}
        onChange={(next) => choose(next === 'type' ? 'type' : 'draw')}
        data={[
          { value: 'draw', label: 'Draw' },
          { value: 'type', label: 'Type' },
        ]}
      />
      {way === 'draw' ? (
        <SignaturePad onChange={setDrawn} />
      ) : (
        <TextInput
          label="Full name"
          description="The name of your account. It cannot be changed here."
          value={ownName}
          readOnly
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
