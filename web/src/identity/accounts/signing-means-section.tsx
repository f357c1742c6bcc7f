import { t } from '@lingui/core/macro';
import { Button, PasswordInput } from '@mantine/core';
import { reauthenticationNeeded } from '@radwork/contract/reading/report-parts';
import {
  longestPin,
  newPin,
  shortestPin,
  signingMeansCalls,
  type SigningMeans,
  signingProofLabels,
} from '@radwork/contract/identity/signing-means';
import { type FormEvent, useState } from 'react';
import { ApiError, useAction } from '#core/http/api.ts';
import { may } from '#core/state/session.ts';
import { SignaturePad } from '#ui/signing/signature-pad.tsx';
import { ProofFields } from '#ui/signing/proof-fields.tsx';
import { SavedSignature } from '#ui/signing/saved-signature.tsx';
import { useProof } from '#ui/signing/use-proof.ts';
import { useSigningMeans } from '#ui/signing/use-signing-means.ts';
import { DialogForm } from '#ui/dialogs/dialog-form.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { fieldErrorsOf } from '#ui/forms/field-errors.ts';
import { formatMoment } from '#ui/formats/formats.ts';
import { SettingsSection } from '#ui/forms/settings-section.tsx';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { StatusPill } from '#ui/marks/status-pill.tsx';
import styles from './account.module.css';

const about = t`Your signature and PIN for reports. Both work only in your own sessions.`;

/** Shows the user's saved signature and signing PIN. Renders nothing for a user who cannot sign reports. */
export function SigningMeansSection() {
  return may(signingMeansCalls.read) ? <Means /> : null;
}

function Means() {
  const { data, error, refetch } = useSigningMeans();
  return (
    <SettingsSection title={t`Signing`} about={about}>
      {error && !data && (
        <ErrorState failed={t`Failed to load your signature`} error={error} onRetry={() => void refetch()} />
      )}
      {!error && !data && <Skeleton lines={4} label={t`Loading your signature`} />}
      {data && <Loaded means={data} />}
    </SettingsSection>
  );
}

type OpenDialog = 'draw' | 'remove-signature' | 'set-pin' | 'remove-pin';

const titles: Record<OpenDialog, string> = {
  draw: t`Save signature`,
  'remove-signature': t`Remove signature`,
  'set-pin': t`Set PIN`,
  'remove-pin': t`Remove PIN`,
};

function Loaded({ means }: { means: SigningMeans }) {
  const [opened, setOpened] = useState<OpenDialog>();
  // Title of the dialog, kept while the dialog closes.
  const [title, setTitle] = useState('');
  const open = (what: OpenDialog) => {
    setOpened(what);
    setTitle(titles[what]);
  };
  const proof = signingProofLabels[means.proof];
  const pinMoment = formatMoment(means.pinSince);
  const close = () => setOpened(undefined);
  return (
    <>
      <p className={styles.hint}>{t`Required to sign: ${proof}`}</p>
      {means.savedSignature ? (
        <SavedSignature picture={means.savedSignature} />
      ) : (
        <p className={styles.hint}>{t`No saved signature. Save one to sign without drawing.`}</p>
      )}
      <div className={styles.buttons}>
        <Button variant="default" onClick={() => open('draw')}>
          {means.savedSignature ? t`Replace signature` : t`Draw signature`}
        </Button>
        {means.savedSignature && (
          <Button variant="default" onClick={() => open('remove-signature')}>
            {t`Remove signature`}
          </Button>
        )}
      </div>
      <div className={styles.state}>
        <StatusPill
          tone={means.pinSince ? 'success' : means.proof === 'PIN' ? 'warning' : 'secondary'}
          label={means.pinSince ? t`PIN set ${pinMoment}` : t`No PIN`}
        />
      </div>
      <div className={styles.buttons}>
        <Button variant="default" onClick={() => open('set-pin')}>
          {means.pinSince ? t`Change PIN` : t`Set PIN`}
        </Button>
        {means.pinSince && (
          <Button variant="default" onClick={() => open('remove-pin')}>
            {t`Remove PIN`}
          </Button>
        )}
      </div>
      <Dialog opened={opened !== undefined} onClose={close} title={title} size={460} closeOnClickOutside={false}>
        {opened === 'draw' && <DrawForm means={means} onClose={close} />}
        {opened === 'remove-signature' && <RemoveSignature means={means} onClose={close} />}
        {opened === 'set-pin' && <PinForm means={means} onClose={close} />}
        {opened === 'remove-pin' && <RemovePin means={means} onClose={close} />}
      </Dialog>
    </>
  );
}

type FormProps = { means: SigningMeans; onClose: () => void };

/** Asks for a proof of identity after the server has refused an old sign-in. The fields then stay visible. */
const useProofIfOld = (means: SigningMeans, error: Error | null) => {
  const [isRefused, setIsRefused] = useState(false);
  if (!isRefused && error instanceof ApiError && error.error === reauthenticationNeeded) setIsRefused(true);
  return useProof(isRefused ? 'RECENT' : undefined, means, error);
};

const description = t`Confirm your identity. Your drawing stays.`;

function DrawForm({ means, onClose }: FormProps) {
  const [drawn, setDrawn] = useState<string>();
  const [isTried, setIsTried] = useState(false);
  const save = useAction(signingMeansCalls.saveSignature, {
    done: t`Your signature was saved`,
    failed: t`Failed to save the signature`,
  });
  const proof = useProofIfOld(means, save.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsTried(true);
    const proven = proof.check();
    if (!drawn || !proven) return;
    save.mutate({ body: { signatureData: drawn, ...proven } }, { onSuccess: onClose });
  };
  const fault = fieldErrorsOf(save.error).signatureData ?? (isTried && !drawn && t`Signature is required`);
  return (
    <DialogForm verb={t`Save signature`} action={save} onSubmit={submit} onCancel={onClose}>
      <SignaturePad onChange={setDrawn} />
      {fault && (
        <p className={styles.fault} role="alert">
          {fault}
        </p>
      )}
      <ProofFields proof={proof} description={description} />
    </DialogForm>
  );
}

function RemoveSignature({ means, onClose }: FormProps) {
  const remove = useAction(signingMeansCalls.removeSignature, {
    done: t`Your signature was removed`,
    failed: t`Failed to remove the signature`,
  });
  const proof = useProofIfOld(means, remove.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const proven = proof.check();
    if (proven) remove.mutate({ body: proven }, { onSuccess: onClose });
  };
  return (
    <DialogForm verb={t`Remove signature`} action={remove} onSubmit={submit} onCancel={onClose}>
      <p className={styles.hint}>{t`Signed reports keep the signature.`}</p>
      <ProofFields proof={proof} description={t`Confirm your identity.`} />
    </DialogForm>
  );
}

function PinForm({ means, onClose }: FormProps) {
  const [pin, setPin] = useState('');
  const [repeated, setRepeated] = useState('');
  const [isTried, setIsTried] = useState(false);
  const set = useAction(signingMeansCalls.setPin, {
    done: t`Your signing PIN was set`,
    failed: t`Failed to set the PIN`,
  });
  const proof = useProof('NOW', means, set.error);
  const fault = newPin.safeParse(pin).error?.issues[0]?.message;
  const unlike = pin !== repeated && t`The PINs do not match`;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsTried(true);
    const proven = proof.check();
    if (fault || unlike || !proven) return;
    set.mutate({ body: { pin, ...proven } }, { onSuccess: onClose });
  };
  return (
    <DialogForm verb={t`Set PIN`} action={set} onSubmit={submit} onCancel={onClose}>
      <PasswordInput
        label={t`New PIN`}
        description={t`${shortestPin} to ${longestPin} digits. Not 111111 or 123456.`}
        withAsterisk
        inputMode="numeric"
        autoComplete="off"
        maxLength={longestPin}
        data-autofocus
        value={pin}
        error={fieldErrorsOf(set.error).pin ?? (isTried && fault)}
        onChange={(event) => setPin(event.currentTarget.value)}
      />
      <PasswordInput
        label={t`Repeat new PIN`}
        withAsterisk
        inputMode="numeric"
        autoComplete="off"
        maxLength={longestPin}
        value={repeated}
        error={isTried && unlike}
        onChange={(event) => setRepeated(event.currentTarget.value)}
      />
      <ProofFields proof={proof} description={t`Confirm your identity to set the PIN.`} />
    </DialogForm>
  );
}

function RemovePin({ means, onClose }: FormProps) {
  const remove = useAction(signingMeansCalls.removePin, {
    done: t`Your signing PIN was removed`,
    failed: t`Failed to remove the PIN`,
  });
  const proof = useProof('NOW', means, remove.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const proven = proof.check();
    if (proven) remove.mutate({ body: proven }, { onSuccess: onClose });
  };
  return (
    <DialogForm verb={t`Remove PIN`} action={remove} onSubmit={submit} onCancel={onClose}>
      {means.proof === 'PIN' && (
        <p className={styles.hint}>{t`Your organization requires a PIN. You cannot sign until you set a new PIN.`}</p>
      )}
      <ProofFields proof={proof} description={t`Confirm your identity.`} />
    </DialogForm>
  );
}
