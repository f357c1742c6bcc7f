import { t } from '@lingui/core/macro';
import { longestPassword, passwordRules, shortestPassword } from '@radwork/contract/identity/accounts';
import styles from './account.module.css';

/** Shows the password rules and the number of characters typed so far. */
export function PasswordRules({ typed }: { typed: string }) {
  const { length } = typed;
  const isCounting = length > 0 && length < shortestPassword;
  return (
    <div>
      <ul className={styles.rules}>
        {passwordRules().map((rule) => (
          <li key={rule}>{rule}</li>
        ))}
      </ul>
      <p className={styles.hint} aria-live="polite">
        {isCounting && t`${length} of at least ${shortestPassword} characters`}
        {length > longestPassword && t`${length} characters, ${longestPassword} at most`}
      </p>
    </div>
  );
}
