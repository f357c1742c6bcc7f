import { reauthenticationNeeded, signerWords } from '@radwork/contract/report-parts';
import { useEffect, useMemo, useState } from 'react';
import { ApiError } from '#core/api.ts';
import { renewSession } from '#core/confirm-session.ts';
import { useSession } from '#core/session.ts';
import { type Asked, useProof } from '#ui/use-proof.ts';
import { useSigningMeans } from '#ui/use-signing-means.ts';
import { typedSignature } from './typed-signature.ts';

/** How a signature is made. */
export type Way = 'saved' | 'draw' | 'type';

export type Signing = ReturnType<typeof useSigning>;

/**
 * What the user does to sign: they confirm the text, put their name to it and prove who they are, where the server or
 * the organisation asks. `subject` is the version they see: what they confirmed of one is not confirmed of another.
 */
export const useSigning = (isSignatureRequired: boolean, subject: string, error: Error | null) => {
  const { data: means, refetch } = useSigningMeans();
  const session = useSession();
  const [chosen, setChosen] = useState<Way>();
  const [drawn, setDrawn] = useState<string>();
  const [isSaving, setIsSaving] = useState(false);
  const saved = means?.savedSignature ?? undefined;
  const way = wayOf(chosen, saved, drawn);
  const ownName = means ? signerWords(means.signer) : (session?.user.name ?? '');
  const signature = useMemo(() => (way === 'type' ? typedSignature(ownName) : drawn), [way, ownName, drawn]);
  const [confirmed, setConfirmed] = useState<string>();
  const [isChecked, setIsChecked] = useState(false);
  const asked = useAsked(means?.proof, error);
  const proof = useProof(asked, means, error);
  const isRenamed = error instanceof ApiError && error.fields.typedName !== undefined;
  const isOutdated = error instanceof ApiError && isAboutMeans(error);
  useEffect(() => {
    // The account got another name since this page learned it. The server's refusal stays on the screen either way.
    if (isRenamed) {
      renewSession()
        .catch(() => {})
        .finally(() => void refetch());
    }
  }, [isRenamed, refetch]);
  useEffect(() => {
    // The organisation asks for another proof since this page learned it, or a PIN or a signature is gone.
    if (isOutdated) void refetch();
  }, [isOutdated, refetch]);

  const usesSaved = isSignatureRequired && way === 'saved';
  const faults = {
    signature: isSignatureRequired && !usesSaved && !signature && 'Signature is required',
    tick: confirmed !== subject && 'Please confirm the report accuracy',
  };
  return {
    isSignatureRequired,
    isConfirmed: confirmed === subject,
    /** What is to be mended; said once the user has tried. */
    shown: { signature: isChecked && faults.signature, tick: isChecked && faults.tick },
    proof,
    way,
    choose: (next: Way) => {
      setChosen(next);
      setDrawn(undefined);
    },
    ownName,
    saved,
    setDrawn,
    isSaving,
    setIsSaving,
    confirm: (isTicked: boolean) => setConfirmed(isTicked ? subject : undefined),
    /** What goes along to the server; undefined while something is missing. */
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

/** A saved signature comes first, unless the user has chosen or begun to draw. */
const wayOf = (chosen: Way | undefined, saved: string | undefined, drawn: string | undefined): Way => {
  if (chosen !== undefined && (chosen !== 'saved' || saved)) return chosen;
  return saved && !drawn ? 'saved' : 'draw';
};

const isAboutMeans = ({ error, fields }: ApiError): boolean =>
  error === reauthenticationNeeded || fields.pin !== undefined || fields.signatureData !== undefined;

/** What is asked for: at once by the organisation, or after a refusal. It stays: what is typed must not vanish. */
const useAsked = (rule: 'RECENT_SIGN_IN' | Exclude<Asked, 'RECENT' | 'NOW'> | undefined, error: Error | null) => {
  const [isRefused, setIsRefused] = useState(false);
  if (!isRefused && error instanceof ApiError && error.error === reauthenticationNeeded) setIsRefused(true);
  if (rule !== undefined && rule !== 'RECENT_SIGN_IN') return rule;
  return isRefused ? 'RECENT' : undefined;
};
