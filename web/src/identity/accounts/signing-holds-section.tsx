import { t } from '@lingui/core/macro';
import { Button, TextInput } from '@mantine/core';
import { holdCauseWords, signingHolds, type SigningState } from '@radwork/contract/identity/signing-holds';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { query, useAction, errorMessageOf } from '#core/http/api.ts';
import { renewSession } from '#core/http/confirm-session.ts';
import { useSession } from '#core/state/session.ts';
import { fieldErrorsOf } from '#ui/forms/field-errors.ts';
import { formatMoment } from '#ui/formats/formats.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import { SettingsSection } from '#ui/forms/settings-section.tsx';
import styles from './account.module.css';

const about = t`Another user changed this account. Confirm that it is yours, or ask a second administrator to confirm it.`;

/** Shows the open signing holds of the account and how to lift them. Renders nothing if there are no signing holds. */
export function SigningHoldsSection() {
  const session = useSession();
  return session?.user.isHeld ? <OnHold /> : null;
}

function OnHold() {
  const { data } = useQuery(query(signingHolds.own, {}));
  const tokenProof = useProofInAddress();
  return (
    <SettingsSection title={t`Signature on hold`} about={about}>
      {data && <Acts state={data} />}
      {tokenProof.error && <Notice tone="danger">{errorMessageOf(tokenProof.error, t`Failed to use the link`)}</Notice>}
      {data?.canProveByCode && <ByCode />}
      {data?.proofAddress && <ByMail address={data.proofAddress} />}
      {data && !data.canProveByCode && !data.proofAddress && (
        <p className={styles.hint}>{t`A second administrator must confirm this account on the Users page.`}</p>
      )}
      {data?.isAllowed && (
        <Notice tone="warning">{t`Your organization still lets you sign. Each signature mentions the hold.`}</Notice>
      )}
    </SettingsSection>
  );
}

const actOf = ({ cause: code, placedByName: name, placedAt }: SigningState['holds'][number]): string => {
  const cause = holdCauseWords[code];
  const moment = formatMoment(placedAt);
  return t`${cause} by ${name}, ${moment}`;
};

function Acts({ state }: { state: SigningState }) {
  return (
    <ul className={styles.rules}>
      {state.holds.map((hold) => (
        <li key={hold.id}>{actOf(hold)}</li>
      ))}
    </ul>
  );
}

/** Lifts a signing hold. Refreshes the banner and the session at once. */
const useRelease = () => {
  const client = useQueryClient();
  return () => {
    void client.invalidateQueries({ queryKey: ['account'] });
    void renewSession();
  };
};

function ByCode() {
  const [code, setCode] = useState('');
  const release = useRelease();
  const prove = useAction(signingHolds.proveByCode, {
    done: t`Account confirmed`,
    failed: t`Failed to confirm the account`,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    prove.mutate({ body: { code } }, { onSuccess: release });
  };
  return (
    <form className={styles.fields} onSubmit={submit}>
      <TextInput
        label={t`Code from your authenticator app`}
        autoComplete="one-time-code"
        maxLength={64}
        value={code}
        error={fieldErrorsOf(prove.error).code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      <div className={styles.buttons}>
        <Button type="submit" loading={prove.isPending}>
          {t`Confirm account`}
        </Button>
      </div>
    </form>
  );
}

function ByMail({ address }: { address: string }) {
  const mailRequest = useAction(signingHolds.askForMail, { failed: t`Failed to send the link`, refreshes: [] });
  return (
    <div className={styles.fields}>
      <div className={styles.buttons}>
        <Button variant="default" loading={mailRequest.isPending} onClick={() => mailRequest.mutate({})}>
          {t`Send link to ${address}`}
        </Button>
      </div>
      {mailRequest.isSuccess && (
        <p className={styles.hint}>{t`Link sent. Open it in this browser within 30 minutes.`}</p>
      )}
    </div>
  );
}

const prefix = '#signing=';

/** Handles the link in the e-mail, which has a token after "#". Uses the token once and removes it from the address. */
const useProofInAddress = () => {
  const release = useRelease();
  const prove = useAction(signingHolds.proveByMail, {
    done: t`Account confirmed`,
    failed: t`Failed to use the link`,
  });
  const isUsed = useRef(false);
  useEffect(() => {
    const { hash } = window.location;
    if (isUsed.current || !hash.startsWith(prefix)) return;
    isUsed.current = true;
    window.history.replaceState(window.history.state, '', window.location.pathname);
    prove.mutate({ body: { token: hash.slice(prefix.length) } }, { onSuccess: release });
  });
  return prove;
};
