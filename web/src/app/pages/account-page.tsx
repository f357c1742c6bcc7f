import { AccountScreen } from '#identity/accounts/account-screen.tsx';
import { CorrectionsSection } from '#reading/dictation/corrections/corrections-section.tsx';

/** Screen /account with the sections of features that the account does not know. */
export function AccountPage() {
  return (
    <AccountScreen>
      <CorrectionsSection />
    </AccountScreen>
  );
}
