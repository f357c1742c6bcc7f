import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, TextInput } from '@mantine/core';
import { holdCauseWords, signingHolds, type SigningState } from '@radwork/contract/signing-holds';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { query, useAction, wordsFor } from '#core/api.ts';
import { renewSession } from '#core/confirm-session.ts';
import { useSession } from '#core/session.ts';
import { faultsIn } from '#ui/form-faults.ts';
import { formatMoment } from '#ui/formats.ts';
import { Notice } from '#ui/notice.tsx';
import { SettingsSection } from '#ui/settings-section.tsx';
import styles from './account.module.css';

const about = t`Another person changed this account. Prove that it is yours, or ask a second administrator to confirm it.`;

/** Shows the account's open signing holds and the ways to lift them; nothing when there are none. */
export function SigningSection() {
  const session = useSession();
  return session?.user.isHeld ? <OnHold /> : null;
}

function OnHold() {
  const { data } = useQuery(query(signingHolds.own, {}));
  const tokenProof = useProofInAddress();
  return (
    <SettingsSection title={t`Signature on hold`} about={about}>
      {data && <Acts state={data} />}
      {tokenProof.error && <Notice tone="danger">{wordsFor(tokenProof.error, t`Could not use the link`)}</Notice>}
      {data?.canProveByCode && <ByCode />}
      {data?.proofAddress && <ByMail address={data.proofAddress} />}
      {data && !data.canProveByCode && !data.proofAddress && (
        <p className={styles.hint}>{t`A second administrator confirms this account on the Users page.`}</p>
      )}
      {data?.isAllowed && (
        <Notice tone="warning">{t`Your organisation lets you sign all the same. Each signature says so.`}</Notice>
      )}
    </SettingsSection>
  );
}

function Acts({ state }: { state: SigningState }) {
  return (
    <ul className={styles.rules}>
      {state.holds.map(({ id, cause, placedByName, placedAt }) => (
        <li key={id}>
          <Trans>
            {holdCauseWords[cause]} by {placedByName}, {formatMoment(placedAt)}
          </Trans>
        </li>
      ))}
    </ul>
  );
}

/** Refreshes the banner and the session at once. */
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
  const prove = useAction(signingHolds.proveByCode, { done: t`The account is proven`, failed: t`Could not prove it` });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    prove.mutate({ body: { code } }, { onSuccess: release });
  };
  return (
    <form className={styles.fields} onSubmit={submit}>
      <TextInput
        label={t`Code of your authenticator app`}
        autoComplete="one-time-code"
        maxLength={64}
        value={code}
        error={faultsIn(prove.error).code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      <div className={styles.buttons}>
        <Button type="submit" loading={prove.isPending}>
          {t`Prove by code`}
        </Button>
      </div>
    </form>
  );
}

function ByMail({ address }: { address: string }) {
  const ask = useAction(signingHolds.askForMail, { failed: t`Could not send the link`, refreshes: [] });
  return (
    <div className={styles.fields}>
      <div className={styles.buttons}>
        <Button variant="default" loading={ask.isPending} onClick={() => ask.mutate({})}>
          <Trans>Send a link to {address}</Trans>
        </Button>
      </div>
      {ask.isSuccess && <p className={styles.hint}>{t`Sent. Open the link in this browser within 30 minutes.`}</p>}
    </div>
  );
}

const prefix = '#signing=';

/** The mail links here, with its token after "#". The token is used once and removed from the address. */
const useProofInAddress = () => {
  const release = useRelease();
  const prove = useAction(signingHolds.proveByMail, {
    done: t`The account is proven`,
    failed: t`Could not use the link`,
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
