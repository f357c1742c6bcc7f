import { t } from '@lingui/core/macro';
import { sessions } from '@radwork/contract/sessions';
import { getRouteApi, useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { call } from '#core/api.ts';
import { renewSession } from '#core/confirm-session.ts';
import { useSession } from '#core/session.ts';
import { Lightbox } from '#ui/lightbox.tsx';
import styles from './account.module.css';
import { SetUpFactor } from './set-up-factor.tsx';

const route = getRouteApi('/signed-in/second-factor');

/** /second-factor: the only page open to a user who must first set up a second factor. */
export function EnrolPage() {
  const { redirect = '/dashboard' } = route.useSearch();
  const session = useSession();
  const navigate = useNavigate();
  const router = useRouter();
  const goOn = () => router.history.replace(redirect);
  const isNeeded = session?.user.secondFactor === 'NEEDED';
  useEffect(() => {
    // A user who needs no second factor continues to the page they asked for.
    if (session && !isNeeded) router.history.replace(redirect);
  }, [session, isNeeded, redirect, router]);
  const signOut = async () => {
    await call(sessions.logout, {}).catch(() => undefined);
    await navigate({ to: '/login' });
  };
  if (!isNeeded) return null;
  const organization = session.tenant.name;
  return (
    <Lightbox>
      <h1 className={styles.title}>{t`Set up a second factor`}</h1>
      <p className={styles.lead}>{t`${organization} requires a second factor.`}</p>
      <SetUpFactor isPasswordAsked={false} onDone={() => void renewSession().then(goOn)} />
      <p>
        <button type="button" className={styles.other} onClick={() => void signOut()}>
          {t`Sign out`}
        </button>
      </p>
    </Lightbox>
  );
}
