import { t } from '@lingui/core/macro';
import { singleSignOn, ssoFragment } from '@radwork/contract/identity/single-sign-on';
import { isSsoFailure, ssoFailures } from '@radwork/contract/identity/single-sign-on-failures';
import { useMutation } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { call, errorMessageOf } from '#core/http/api.ts';
import { EntryPage } from '#ui/layout/entry-page.tsx';
import { Notice } from '#ui/feedback/notice.tsx';
import styles from './single-sign-on.module.css';

/** Screen /signed-in-again: the provider sends the user here after confirming the user's identity. */
export function SignedInAgainPage() {
  const router = useRouter();
  const [fragment] = useState(() => new URLSearchParams(router.state.location.hash));
  const ticket = fragment.get(ssoFragment.ticket);
  const failure = fragment.get(ssoFragment.failure);
  const isTaken = useRef(false);
  const confirm = useMutation({
    mutationFn: (value: string) => call(singleSignOn.confirm, { body: { ticket: value } }),
  });
  const { mutate } = confirm;
  useEffect(() => {
    // Runs once, because a ticket works only once but React may run this effect twice.
    if (isTaken.current) return;
    isTaken.current = true;
    router.history.replace(router.state.location.pathname);
    if (ticket !== null) mutate(ticket);
  }, [ticket, mutate, router]);

  const refusal = confirm.error ? errorMessageOf(confirm.error, notConfirmed) : refusalOf(ticket, failure);
  return (
    <EntryPage>
      <div className={styles.again}>
        {refusal ? (
          <>
            <h1>{t`You cannot sign yet`}</h1>
            <Notice tone="danger">{refusal}</Notice>
            <p>{t`Your report is unchanged in the other tab. Try again there.`}</p>
          </>
        ) : (
          <div role="status">
            <h1>{confirm.isSuccess ? t`Identity confirmed` : t`Confirming your identity…`}</h1>
            {confirm.isSuccess && (
              <p>{t`Your report is unchanged. Close this tab and sign the report in the other tab.`}</p>
            )}
          </div>
        )}
      </div>
    </EntryPage>
  );
}

const notConfirmed = t`Failed to confirm your identity. Try again.`;

const refusalOf = (ticket: string | null, failure: string | null): string | undefined => {
  if (ticket !== null) return undefined;
  return failure !== null && isSsoFailure(failure) ? ssoFailures[failure]() : notConfirmed;
};
