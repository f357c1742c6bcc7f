import { singleSignOn, type SingleSignOnForm, ssoFragment } from '@radwork/contract/identity/single-sign-on';
import { expect } from 'vitest';
import { newId } from '#core/values/ids.ts';
import type { OidcProvider } from './oidc-provider.ts';
import type { Tenant, World } from './world.ts';

/** Settings for a provider that let every user in as a radiologist. */
export const formFor = ({ issuer, clientId, clientSecret }: OidcProvider): SingleSignOnForm => ({
  isOn: true,
  label: 'Clinic account',
  issuer,
  clientId,
  clientSecret,
  scopes: 'openid profile email',
  usernameClaim: 'preferred_username',
  nameClaim: 'name',
  emailClaim: 'email',
  groupsClaim: '',
  rules: [],
  isAdminByClaim: false,
  fallbackType: 'RADIOLOGIST',
  isEnrolling: true,
  isPasswordAllowed: true,
  requiredAcr: '',
  requiredAmr: '',
  revision: 0,
});

export type SignInStart = { location: string; cookie: string };
type How = { redirect?: string; acr?: string; amr?: string[] };

/** Steps of a sign-in at a provider. */
export const singleSignOnSteps = (world: World, provider: OidcProvider) => {
  /** Creates a tenant that uses the provider, and its administrator. */
  const setUp = async (changes: Partial<SingleSignOnForm> = {}, tenant?: Tenant) => {
    const admin = await world.signIn('ADMIN', tenant);
    await world.owner.updateTable('users').set({ password_hash: 'x' }).where('id', '=', admin.userId).execute();
    const saved = await admin.send(singleSignOn.save, { body: { ...formFor(provider), ...changes } });
    expect(saved).toMatchObject({ status: 200 });
    return { admin, tenant: admin.tenant, settings: saved.data };
  };

  /** Changes the settings as an administrator who has just loaded them. */
  const change = async (admin: Awaited<ReturnType<World['signIn']>>, changes: Partial<SingleSignOnForm>) => {
    const { data } = await admin.send(singleSignOn.read);
    return admin.send(singleSignOn.save, {
      body: { ...formFor(provider), ...data, clientSecret: '', ...changes, revision: data.revision },
    });
  };

  /** Adds a new user at the provider. `claims` replaces the defaults. */
  const somebody = (claims: Record<string, unknown> = {}): string => {
    const subject = newId();
    const name = `person.${subject.slice(-12)}`;
    const known = { name: `Dr ${name}`, preferred_username: name, email: `${name}@example.org`, ...claims };
    provider.people.set(subject, known);
    return subject;
  };

  const start = async (tenant: Pick<Tenant, 'subdomain'>, redirect = '', more = {}): Promise<SignInStart> => {
    const url = `/api/auth/sso/${tenant.subdomain}/start?${new URLSearchParams({ redirect, ...more })}`;
    const { headers, statusCode } = await world.request({ method: 'GET', url });
    expect(statusCode).toBe(303);
    return { location: String(headers.location), cookie: String(headers['set-cookie'] ?? '').split(';')[0] ?? '' };
  };

  /** Returns from the provider. Resolves to the URL at which the browser ends. */
  const comeBack = async (address: string, cookie: string): Promise<URL> => {
    const { pathname, search } = new URL(address);
    const { headers, statusCode } = await world.request({
      method: 'GET',
      url: `${pathname}${search}`,
      headers: { cookie },
    });
    expect(statusCode).toBe(303);
    return new URL(String(headers.location), 'https://radwork.test');
  };

  const exchange = (ticket: string, cookie: string) =>
    world.send(singleSignOn.exchange, { body: { ticket }, headers: { cookie } });

  /** Runs a sign-in up to its last step and returns the page of the browser. */
  const travel = async (tenant: Pick<Tenant, 'subdomain'>, subject: string, { redirect, ...how }: How = {}) => {
    const { location, cookie } = await start(tenant, redirect);
    const page = await comeBack(await provider.signIn(location, subject, how), cookie);
    return { page, cookie };
  };

  /** Authenticates again at the provider. Returns the page of the browser and the request. */
  const showAgain = async (tenant: Pick<Tenant, 'subdomain'>, subject: string) => {
    const { location, cookie } = await start(tenant, '', { again: '1' });
    return {
      authorization: new URL(location).searchParams,
      page: await comeBack(await provider.signIn(location, subject), cookie),
    };
  };

  /** Returns why a user was not let in. */
  const failureOf = ({ hash }: URL): string | null => new URLSearchParams(hash.slice(1)).get(ssoFragment.failure);
  const ticketOf = ({ hash }: URL): string => new URLSearchParams(hash.slice(1)).get(ssoFragment.ticket) ?? '';

  /** Runs a whole sign-in and returns the session data for the browser. */
  const signIn = async (tenant: Pick<Tenant, 'subdomain'>, subject: string, how: How = {}) => {
    const { page, cookie } = await travel(tenant, subject, how);
    expect(failureOf(page)).toBe(null);
    const answer = await exchange(ticketOf(page), cookie);
    expect(answer).toMatchObject({ status: 200 });
    return answer.data;
  };

  const refusal = async (tenant: Pick<Tenant, 'subdomain'>, subject: string, how: How = {}) =>
    failureOf((await travel(tenant, subject, how)).page);

  return {
    setUp,
    change,
    somebody,
    start,
    comeBack,
    exchange,
    travel,
    showAgain,
    failureOf,
    ticketOf,
    signIn,
    refusal,
  };
};
