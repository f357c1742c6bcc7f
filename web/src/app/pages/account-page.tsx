import { AccountScreen } from '#identity/accounts/account-screen.tsx';
import { CorrectionsSection } from '#reading/dictation/corrections/corrections-section.tsx';

/** Screen /account. Adds sections of other features, which the account feature must not import. */
export function AccountPage() {
  return (
    <AccountScreen>
      <CorrectionsSection />
    </AccountScreen>
  );
}
