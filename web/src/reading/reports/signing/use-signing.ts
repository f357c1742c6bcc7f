import { t } from '@lingui/core/macro';
import { reauthenticationNeeded, signerText } from '@radwork/contract/reading/report-parts';
import { useEffect, useMemo, useState } from 'react';
import { ApiError } from '#core/http/api.ts';
import { renewSession } from '#core/http/confirm-session.ts';
import { useSession } from '#core/state/session.ts';
import { type RequiredProof, useProof } from '#ui/signing/use-proof.ts';
import { useSigningMeans } from '#ui/signing/use-signing-means.ts';
import { typedSignature } from './typed-signature.ts';

/** How the user provides a signature. */
export type SignatureMethod = 'saved' | 'draw' | 'type';

export type Signing = ReturnType<typeof useSigning>;

/**
 * State of signing: confirmation of the text, signature, and a proof of identity if required. `subject` is the version
 * on the screen; a confirmation applies only to that version.
 */
export const useSigning = (isSignatureRequired: boolean, subject: string, error: Error | null) => {
  const { data: means, refetch } = useSigningMeans();
  const session = useSession();
  const [chosen, setChosen] = useState<SignatureMethod>();
  const [drawn, setDrawn] = useState<string>();
  const [isSaving, setIsSaving] = useState(false);
  const saved = means?.savedSignature ?? undefined;
  const way = wayOf(chosen, saved, drawn);
  const ownName = means ? signerText(means.signer) : (session?.user.name ?? '');
  const signature = useMemo(() => (way === 'type' ? typedSignature(ownName) : drawn), [way, ownName, drawn]);
  const [confirmed, setConfirmed] = useState<string>();
  const [isChecked, setIsChecked] = useState(false);
  const requiredProof = useRequiredProof(means?.proof, error);
  const proof = useProof(requiredProof, means, error);
  const isRenamed = error instanceof ApiError && error.fields.typedName !== undefined;
  const isOutdated = error instanceof ApiError && isAboutMeans(error);
  useEffect(() => {
    // The account was renamed after this page loaded it. Fetches the account again; the server's error stays on the
    // screen.
    if (isRenamed) {
      renewSession()
        .catch(() => {})
        .finally(() => void refetch());
    }
  }, [isRenamed, refetch]);
  useEffect(() => {
    // Since this page loaded, the organization has changed the required proof, or a PIN or signature was deleted.
    if (isOutdated) void refetch();
  }, [isOutdated, refetch]);

  const usesSaved = isSignatureRequired && way === 'saved';
  const faults = {
    signature: isSignatureRequired && !usesSaved && !signature && t`Signature is required`,
    tick: confirmed !== subject && t`Please confirm the report accuracy`,
  };
  return {
    isSignatureRequired,
    isConfirmed: confirmed === subject,
    /** Errors to correct. They appear after the first attempt. */
    shown: { signature: isChecked && faults.signature, tick: isChecked && faults.tick },
    proof,
    way,
    choose: (next: SignatureMethod) => {
      setChosen(next);
      setDrawn(undefined);
    },
    ownName,
    saved,
    setDrawn,
    isSaving,
    setIsSaving,
    confirm: (isTicked: boolean) => setConfirmed(isTicked ? subject : undefined),
    /** Returns the signing part of the request body; undefined while an input is missing. */
    check: () => {
      setIsChecked(true);
      const proven = proof.check();
      if (!proven || Object.values(faults).some(Boolean)) return undefined;
      return {
        ...(usesSaved ? { usesSavedSignature: true } : signature && { signatureData: signature }),
        ...(signature && way === 'type' && { typedName: ownName }),
        ...(signature && way === 'draw' && isSaving && { savesSignature: true }),
        ...proven,
      };
    },
  };
};

/** Uses a saved signature, unless the user has chosen another method or begun to draw. */
const wayOf = (
  chosen: SignatureMethod | undefined,
  saved: string | undefined,
  drawnSignature: string | undefined,
): SignatureMethod => {
  if (chosen !== undefined && (chosen !== 'saved' || saved)) return chosen;
  return saved && !drawnSignature ? 'saved' : 'draw';
};

const isAboutMeans = ({ error, fields }: ApiError): boolean =>
  error === reauthenticationNeeded || fields.pin !== undefined || fields.signatureData !== undefined;

/**
 * The proof of identity to ask for: required by the organization, or by the server's last error. Once shown, the field
 * remains.
 */
const useRequiredProof = (
  rule: 'RECENT_SIGN_IN' | Exclude<RequiredProof, 'RECENT' | 'NOW'> | undefined,
  error: Error | null,
) => {
  const [isRefused, setIsRefused] = useState(false);
  if (!isRefused && error instanceof ApiError && error.error === reauthenticationNeeded) setIsRefused(true);
  if (rule !== undefined && rule !== 'RECENT_SIGN_IN') return rule;
  return isRefused ? 'RECENT' : undefined;
};
