import { t } from '@lingui/core/macro';
import { singleSignOn, ssoFragment } from '@radwork/contract/identity/single-sign-on';
import { isSsoFailure, ssoFailures } from '@radwork/contract/identity/single-sign-on-failures';
import { useMutation } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { call, errorMessageOf } from '#core/http/api.ts';
import { saveSession } from '#core/state/session.ts';
import { Notice } from '#ui/feedback/notice.tsx';

/**
 * Reads the result of a sign-in at the provider from the part of the address after "#". Exchanges a ticket for a
 * session, or shows the failure. Removes the result from the address at once.
 */
export function SingleSignOnArrival() {
  const router = useRouter();
  const [fragment] = useState(() => new URLSearchParams(router.state.location.hash));
  const ticket = fragment.get(ssoFragment.ticket);
  const failure = fragment.get(ssoFragment.failure);
  const isTaken = useRef(false);
  const { mutate: exchange, error } = useMutation({
    mutationFn: (value: string) => call(singleSignOn.exchange, { body: { ticket: value } }, { isAnonymous: true }),
    onSuccess: saveSession,
  });
  useEffect(() => {
    // Runs once, because a ticket works only once but React may run this effect twice.
    if (isTaken.current || (ticket === null && failure === null)) return;
    isTaken.current = true;
    const { pathname, searchStr } = router.state.location;
    router.history.replace(`${pathname}${searchStr}`);
    if (ticket !== null) exchange(ticket);
  }, [ticket, failure, exchange, router]);

  if (error) return <Notice tone="danger">{errorMessageOf(error, t`Failed to sign in`)}</Notice>;
  if (failure !== null) {
    return <Notice tone="danger">{isSsoFailure(failure) ? ssoFailures[failure]() : t`Failed to sign in`}</Notice>;
  }
  return ticket === null ? null : <p role="status">{t`Signing you in…`}</p>;
}
