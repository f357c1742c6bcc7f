import type { IDToken, UserInfoResponse } from 'openid-client';
import { SsoRefusal } from './sso-refusal.ts';
import type { StoredSettings } from './stored-settings.ts';

/** Claims of a user from the provider. */
export type Claims = {
  issuer: string;
  subject: string;
  username: string;
  name: string;
  /** Empty if there is no address, or if the provider says that the address is not verified. */
  email: string;
  /** Undefined if groups do not decide the rights. */
  groups: string[] | undefined;
};

type Names = Pick<StoredSettings, 'username_claim' | 'name_claim' | 'email_claim' | 'groups_claim'>;

/** Reads the claims that a tenant uses. The ID token takes precedence over userinfo. */
export const readClaims = (names: Names, token: IDToken, info: UserInfoResponse | undefined): Claims => {
  const all: Record<string, unknown> = { ...info, ...token };
  const username = textOf(all, names.username_claim).normalize('NFC');
  // Refuses a username with a length that the database does not allow (server/migrations/0002_users.sql).
  if (username.length < 3 || username.length > 64) throw new SsoRefusal('no_claims');
  return {
    issuer: token.iss,
    subject: token.sub,
    username,
    name: textOf(all, names.name_claim).slice(0, 200) || username,
    email: isRefuted(all['email_verified']) ? '' : textOf(all, names.email_claim).slice(0, 254),
    groups: names.groups_claim === '' ? undefined : listOf(valueAt(all, names.groups_claim)),
  };
};

/** Some providers send "false" as text. */
const isRefuted = (verified: unknown): boolean => verified === false || verified === 'false';

/** Reads a claim by its name, or by a path such as "realm_access.roles". */
const valueAt = (claims: Record<string, unknown>, name: string): unknown => {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name.split('.').reduce<unknown>((inner, step) => {
    const isPlace = typeof inner === 'object' && inner !== null && Object.hasOwn(inner, step);
    return isPlace ? Object.entries(inner).find(([key]) => key === step)?.[1] : undefined;
  }, claims);
};

const textOf = (claims: Record<string, unknown>, name: string): string => {
  const value = valueAt(claims, name);
  return typeof value === 'string' ? value.replaceAll(/\p{Cc}/gu, ' ').trim() : '';
};

const listOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((one): one is string => typeof one === 'string');

type Strength = Pick<StoredSettings, 'required_acr' | 'required_amr'>;

/** Refuses a sign-in that is weaker than the tenant requires. Uses only acr and amr of the ID token. */
export const refuseWeak = ({ required_acr, required_amr }: Strength, { acr, amr }: IDToken): void => {
  const [classes, methods] = [wordsOf(required_acr), wordsOf(required_amr)];
  const used = listOf(amr);
  const isWeak =
    (classes.length > 0 && !listOf(acr).some((one) => classes.includes(one))) ||
    (methods.length > 0 && !methods.some((method) => used.includes(method)));
  if (isWeak) throw new SsoRefusal('weak');
};

export const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');
