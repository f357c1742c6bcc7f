import { t } from '../core/translate.ts';

/** Messages for refused sign-ins. */
export const ssoFailures = {
  off: () => t`Single sign-on is not set up for this organization. Check its name, or sign in with your password.`,
  provider_away: () => t`Could not reach the sign-in service of your organization. Try again in a few minutes.`,
  provider_wrong: () =>
    t`The answer of the sign-in service could not be verified. You are not signed in. Contact your administrator.`,
  client_refused: () =>
    t`The sign-in service of your organization rejected Radwork. Ask your administrator to check the client ID and secret.`,
  denied: () => t`Sign-in was refused or canceled. Try again.`,
  not_known: () => t`This sign-in is unknown or has expired. Start again.`,
  expired: () => t`Sign-in took longer than 10 minutes. Start again.`,
  used: () => t`This sign-in was already used. Start again.`,
  other_browser: () => t`This sign-in was started in another browser. Start again in this browser.`,
  clock: () =>
    t`The clocks of Radwork and the sign-in service differ by more than 1 minute. Contact your administrator.`,
  weak: () => t`Your organization requires a stronger sign-in, such as a second factor. Use it and try again.`,
  no_claims: () => t`The sign-in service did not send your username. Contact your administrator.`,
  no_group: () => t`None of your groups can use Radwork. Contact your administrator.`,
  unknown: () => t`You have no account in this organization yet. Your administrator can see your request.`,
  not_linked: () =>
    t`A user with your username exists but is not linked to your sign-in. Your administrator can link it under Single sign-on.`,
  inactive: () => t`Your account is deactivated. Contact your administrator.`,
  other_person: () => t`This sign-in belongs to another user. Sign in as the user of this session.`,
  not_again: () =>
    t`The sign-in service did not confirm a recent sign-in. Sign with a code from an authenticator app (see My account), or ask your administrator to have the service send "auth_time".`,
  operator: () => t`Super administrators sign in with their password.`,
} as const;
export type SsoFailure = keyof typeof ssoFailures;
export const isSsoFailure = (text: string): text is SsoFailure => Object.hasOwn(ssoFailures, text);
