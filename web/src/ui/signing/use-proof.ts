import { t } from '@lingui/core/macro';
import type { SigningMeans } from '@radwork/contract/identity/signing-means';
import { singleSignOn } from '@radwork/contract/identity/single-sign-on';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, query } from '#core/http/api.ts';
import { useSession } from '#core/state/session.ts';

/**
 * Proof of identity that is required. RECENT: password or code, because the sign-in is too old. NOW: password or code,
 * even after a recent sign-in. Other values: the proof that the organization requires at each signature.
 */
export type RequiredProof = 'RECENT' | 'NOW' | 'PASSWORD' | 'PIN' | 'CODE';

/** Kind of input for a proof. "none" if the user has nothing to type. */
export type ProofInput = 'password-or-code' | 'password' | 'pin' | 'code' | 'none';

export type Proof = ReturnType<typeof useProof>;

/** State of the proof of identity. No proof is required while `requiredProof` is undefined. */
export const useProof = (
  requiredProof: RequiredProof | undefined,
  means: SigningMeans | undefined,
  error: Error | null,
) => {
  const [typed, setTyped] = useState('');
  const [isTried, setIsTried] = useState(false);
  const session = useSession();
  const organization = session?.tenant.subdomain ?? '';
  const hasSecondFactor = session?.user.secondFactor === 'SET' || means?.hasSecondFactor === true;
  const hasPassword = means?.hasPassword ?? true;
  const asksProvider =
    requiredProof === 'RECENT' || ((requiredProof === 'NOW' || requiredProof === 'PASSWORD') && !hasPassword);
  // A user with single sign-on may have no password here, and signs in at the provider again instead.
  const { data: offer } = useQuery({
    ...query(singleSignOn.offer, { query: { organization } }),
    enabled: asksProvider && organization !== '',
  });
  const provider = asksProvider && offer?.isOn ? offer : undefined;
  const input =
    requiredProof === undefined
      ? 'none'
      : inputs[requiredProof]({ hasPassword, hasSecondFactor, hasPin: !!means?.pinSince });
  const isRequired = input !== 'none' && !provider;
  const missing = typed.trim() === '' && isRequired && missingWords(input, hasSecondFactor);
  const fields = error instanceof ApiError ? error.fields : {};
  return {
    asked: requiredProof,
    input,
    provider,
    hasSecondFactor,
    isRequired,
    typed,
    setTyped,
    /** Error to show: from the server, or for missing input after an attempt. */
    error: fields.password ?? fields.code ?? fields.pin ?? (isTried && missing),
    /** Returns the proof for the request body; undefined while input is missing. */
    check: (): { password?: string; code?: string; pin?: string } | undefined => {
      if (requiredProof !== undefined) setIsTried(true);
      if (missing || isImpossible(requiredProof, input, provider !== undefined)) return undefined;
      return typed.trim() === '' ? {} : bodyOf(input, typed, hasSecondFactor);
    },
  };
};

type Has = { hasPassword: boolean; hasSecondFactor: boolean; hasPin: boolean };

const inputs: Record<RequiredProof, (has: Has) => ProofInput> = {
  RECENT: () => 'password-or-code',
  NOW: ({ hasPassword, hasSecondFactor }) => (hasPassword || hasSecondFactor ? 'password-or-code' : 'none'),
  PASSWORD: ({ hasPassword }) => (hasPassword ? 'password' : 'none'),
  PIN: ({ hasPin }) => (hasPin ? 'pin' : 'none'),
  CODE: ({ hasSecondFactor }) => (hasSecondFactor ? 'code' : 'none'),
};

const missingWords = (input: ProofInput, hasSecondFactor: boolean): string => {
  if (input === 'pin') return t`PIN is required`;
  if (input === 'code') return t`Code is required`;
  return input === 'password-or-code' && hasSecondFactor ? t`Password or code is required` : t`Password is required`;
};

/** Whether the user must first set up a PIN or a second factor. */
const isImpossible = (requiredProof: RequiredProof | undefined, input: ProofInput, hasProvider: boolean): boolean =>
  input === 'none' && !hasProvider && (requiredProof === 'PIN' || requiredProof === 'CODE');

/** Six digits are a code of the authenticator app, because no password is so short. */
const bodyOf = (input: ProofInput, typedCode: string, hasSecondFactor: boolean) => {
  const code = typedCode.replaceAll(/\s/g, '');
  if (input === 'pin') return { pin: code };
  if (input === 'code') return { code };
  return input === 'password-or-code' && hasSecondFactor && /^\d{6}$/.test(code) ? { code } : { password: typedCode };
};
