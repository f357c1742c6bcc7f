import { t } from '@lingui/core/macro';
import { account } from '@radwork/contract/identity/accounts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { query } from '#core/http/api.ts';
import { ScreenTitle } from '#ui/layout/screen-title.tsx';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import styles from './account.module.css';
import { PasswordSection } from './password-section.tsx';
import { ProfileSection } from './profile-section.tsx';
import { OutreachSection } from './outreach-section.tsx';
import { SecondFactorSection } from './second-factor-section.tsx';
import { SigningMeansSection } from './signing-means-section.tsx';
import { SigningHoldsSection } from './signing-holds-section.tsx';
import { SessionsSection } from './sessions-section.tsx';

/** Screen /account: profile, sign-in and sessions of the user. `children` are sections of other features. */
export function AccountScreen({ children }: { children?: ReactNode }) {
  const { data, error, refetch } = useQuery(query(account.read, {}));
  return (
    <div className={styles.screen}>
      <ScreenTitle title={t`My account`} />
      {error && !data && (
        <ErrorState failed={t`Failed to load your account`} error={error} onRetry={() => void refetch()} />
      )}
      {!error && !data && <Skeleton lines={10} label={t`Loading your account`} />}
      {data && (
        <div className={styles.sections}>
          <SigningHoldsSection />
          <ProfileSection account={data} />
          <PasswordSection account={data} />
          <SecondFactorSection account={data} />
          <SigningMeansSection />
          <OutreachSection />
          {children}
          <SessionsSection />
        </div>
      )}
    </div>
  );
}
