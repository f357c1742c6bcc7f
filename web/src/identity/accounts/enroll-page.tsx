import { t } from '@lingui/core/macro';
import { sessions } from '@radwork/contract/identity/sessions';
import { getRouteApi, useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { call } from '#core/http/api.ts';
import { renewSession } from '#core/http/confirm-session.ts';
import { useSession } from '#core/state/session.ts';
import { EntryPage } from '#ui/layout/entry-page.tsx';
import styles from './account.module.css';
import { SecondFactorSetup } from './second-factor-setup.tsx';

const route = getRouteApi('/signed-in/second-factor');

/** Screen /second-factor: the only page for a user who must first set up a second factor. */
export function EnrollPage() {
  const { redirect = '/dashboard' } = route.useSearch();
  const session = useSession();
  const navigate = useNavigate();
  const router = useRouter();
  const continueToApp = () => router.history.replace(redirect);
  const isNeeded = session?.user.secondFactor === 'NEEDED';
  useEffect(() => {
    // A user who needs no second factor continues to the requested page.
    if (session && !isNeeded) router.history.replace(redirect);
  }, [session, isNeeded, redirect, router]);
  const signOut = async () => {
    await call(sessions.logout, {}).catch(() => undefined);
    await navigate({ to: '/login' });
  };
  if (!isNeeded) return null;
  const organization = session.tenant.name;
  return (
    <EntryPage>
      <h1 className={styles.title}>{t`Set up a second factor`}</h1>
      <p className={styles.lead}>{t`${organization} requires a second factor.`}</p>
      <SecondFactorSetup isPasswordAsked={false} onDone={() => void renewSession().then(continueToApp)} />
      <p>
        <button type="button" className={styles.other} onClick={() => void signOut()}>
          {t`Sign out`}
        </button>
      </p>
    </EntryPage>
  );
}
