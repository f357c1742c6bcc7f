import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, PasswordInput, TextInput } from '@mantine/core';
import { longestPin } from '@radwork/contract/identity/signing-means';
import { ssoJourney } from '@radwork/contract/identity/single-sign-on';
import { IconExternalLink } from '@tabler/icons-react';
import { Notice } from '#ui/feedback/notice.tsx';
import styles from './signing-means.module.css';
import type { Proof } from './use-proof.ts';

type Props = { proof: Proof; description?: string };

const keeps = t`Confirm your identity to sign. You will not lose your text or drawing.`;
const eachTime = t`Your organization requires this for each signature.`;

/** Fields in which users prove their identity. Renders nothing if no proof is required. */
export function ProofFields({ proof, description }: Props) {
  const { asked: requiredProof, provider } = proof;
  if (requiredProof === undefined) return null;
  return (
    <>
      <Input proof={proof} description={description ?? (requiredProof === 'RECENT' ? keeps : eachTime)} />
      {proof.input === 'none' && proof.asked === 'PIN' && <SetUpFirst>{t`You need a signing PIN.`}</SetUpFirst>}
      {proof.input === 'none' && proof.asked === 'CODE' && (
        <SetUpFirst>{t`You need an authenticator app to sign.`}</SetUpFirst>
      )}
      {provider && <WayToProvider {...provider} isOnlyWay={proof.input === 'none'} error={proof.error} />}
    </>
  );
}

function Input({ proof, description }: { proof: Proof; description: string }) {
  const { input, hasSecondFactor, isRequired, error, typed, setTyped, asked: requiredProof } = proof;
  const shared = {
    description,
    withAsterisk: isRequired,
    error,
    value: typed,
    autoFocus: requiredProof === 'RECENT',
    onChange: (event: { currentTarget: { value: string } }) => setTyped(event.currentTarget.value),
  };
  if (input === 'pin') {
    return (
      <PasswordInput {...shared} label={t`Signing PIN`} inputMode="numeric" autoComplete="off" maxLength={longestPin} />
    );
  }
  if (input === 'code') {
    return (
      <TextInput
        {...shared}
        label={t`Authenticator code`}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={64}
      />
    );
  }
  if (input === 'none') return null;
  return (
    <PasswordInput
      {...shared}
      label={
        input === 'password-or-code' && hasSecondFactor ? t`Your password or authenticator code` : t`Your password`
      }
      autoComplete="current-password"
      maxLength={256}
    />
  );
}

/** Link to set up what the proof needs. Opens another tab, so that typed text and a drawn signature are kept. */
function SetUpFirst({ children }: { children: string }) {
  return (
    <Notice tone="warning">
      {children}{' '}
      <Trans>
        <Anchor href="/account" target="_blank" rel="noopener" underline="always" inherit>
          Set it up on your account page
        </Anchor>
        , then return here.
      </Trans>
    </Notice>
  );
}

type ProviderProps = { subdomain: string; label: string; isOnlyWay: boolean; error: string | false | undefined };

/**
 * Link to the provider. Opens another tab, so that typed text and a drawn signature are kept. The current session
 * continues.
 */
function WayToProvider({ subdomain, label, isOnlyWay, error }: ProviderProps) {
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
        {t`Sign in again with ${label}`}
      </Button>
      <p className={styles.hint}>
        {isOnlyWay
          ? t`Opens in a new tab. Return here after you sign in. Each sign-in can be used once.`
          : t`Opens in a new tab. Return here after you sign in, and leave the password empty.`}
      </p>
      {isOnlyWay && error && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
