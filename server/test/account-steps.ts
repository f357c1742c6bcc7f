import { randomUUID } from 'node:crypto';
import type { UserType } from '@radwork/contract/core/access';
import { account } from '@radwork/contract/identity/accounts';
import type { Endpoint } from '@radwork/contract/core/endpoint';
import { sessions } from '@radwork/contract/identity/sessions';
import { Secret, TOTP } from 'otpauth';

import { createUser } from '#identity/user-records/create-user.ts';
import { quickHash } from './quick-hash.ts';
import type { Answer, CallData, Tenant, World } from './world.ts';

export const password = 'purple harbour ledger';
const passwordHash = quickHash(password);

type Owner = {
  token: string;
  send: <E extends Endpoint>(endpoint: E, sent: CallData, token?: string) => Promise<Answer<E>>;
};

/** Returns the code that an authenticator app shows for a key, now or some 30-second steps later. */
export const codeOf = (key: string, stepsLater = 0): string =>
  new TOTP({ secret: Secret.fromBase32(key) }).generate({ timestamp: Date.now() + stepsLater * 30_000 });

/** Returns a code that the app does not show for this key around the current time. */
export const wrongCodeOf = (key: string): string => {
  const right = [-2, -1, 0, 1, 2].map((later) => codeOf(key, later));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !right.includes(code)) ?? '';
};

/** Steps of the owner of an account. */
export const accountSteps = (world: World) => {
  const logIn = (
    username: string,
    typedPassword: string,
    more: { code?: string; subdomain?: string; address?: string } = {},
  ) =>
    world.request({
      method: 'POST',
      url: '/api/auth/login',
      payload: { username, password: typedPassword, ...(more.code !== undefined && { code: more.code }) },
      headers: { ...(more.subdomain && { 'x-tenantid': more.subdomain }) },
      remoteAddress: more.address ?? '127.0.0.1',
    });

  /** Creates a user with a password and signs in. */
  const newOwner = async (userType: UserType = 'RADIOLOGIST', tenant?: Tenant) => {
    const home = tenant ?? (await world.newTenant());
    const username = `rosa.${randomUUID().slice(0, 8)}`;
    const person = { username, name: 'Rosa Lind', email: `${username}@example.org`, userType };
    const hash = await passwordHash;
    const userId = await world.inTenant(home, (scope) => createUser(scope, { ...person, passwordHash: hash }));
    const answer = await logIn(username, password, { subdomain: home.subdomain });
    const token: string = answer.json().data.token;
    const as = (own: string) => ({ authorization: `Bearer ${own}` });
    return {
      ...person,
      tenant: home,
      userId,
      token,
      logIn: (more: { code?: string; address?: string; given?: string } = {}) =>
        logIn(username, more.given ?? password, { subdomain: home.subdomain, ...more }),
      send: <E extends Endpoint>(endpoint: E, sent: CallData = {}, own = token) =>
        world.send(endpoint, { ...sent, headers: { ...as(own), ...sent.headers } }),
      isIn: async (own = token) => (await world.send(sessions.validate, { body: { token: own } })).status === 200,
    };
  };

  /** Sets up a second factor and returns its key and recovery codes. */
  const enroll = async (owner: Owner, own = owner.token) => {
    const enrollment = await owner.send(account.beginSecondFactor, { body: { currentPassword: password } }, own);
    const { key } = enrollment.data;
    const confirmed = await owner.send(account.confirmSecondFactor, { body: { code: codeOf(key) } }, own);
    return { key, recoveryCodes: confirmed.data.recoveryCodes };
  };

  /** Simulates the next 30 seconds: clears used codes and the lock of the second factor. */
  const later = ({ userId }: { userId: string }) =>
    world.owner
      .updateTable('second_factors')
      .set({ last_step: 0, locked_until: null, wrong_codes: 0 })
      .where('user_id', '=', userId)
      .execute();

  const setPolicy = ({ id }: Tenant, second_factor_policy: 'OPTIONAL' | 'ADMINISTRATORS' | 'EVERYBODY') =>
    world.owner.updateTable('tenants').set({ second_factor_policy }).where('id', '=', id).execute();

  /** Returns the audited actions about a user, latest last. */
  const audited = async ({ tenant, userId }: { tenant: Tenant; userId: string }) => {
    const rows = await world.inTenant(tenant, ({ db }) =>
      db.selectFrom('audit_entries').select('action').where('entity_id', '=', userId).orderBy('id').execute(),
    );
    return rows.map(({ action }) => action);
  };

  /** Returns the titles of a user's notifications. */
  const notificationTitles = async ({ tenant, userId }: { tenant: Tenant; userId: string }) => {
    const rows = await world.inTenant(tenant, ({ db }) =>
      db.selectFrom('notifications').select('title').where('user_id', '=', userId).orderBy('created_at').execute(),
    );
    return rows.map(({ title }) => title);
  };

  return { logIn, newOwner, enrol: enroll, later, setPolicy, audited, told: notificationTitles };
};
