import { passwordLinks } from '@radwork/contract/identity/accounts';
import type { Endpoint } from '@radwork/contract/core/endpoint';
import { reports } from '@radwork/contract/reading/reports';
import { sessions } from '@radwork/contract/identity/sessions';
import { users } from '@radwork/contract/identity/users';
import { accountSteps } from './account-steps.ts';
import { reportText, signature } from './report-steps.ts';
import { addStudy } from './stored-study.ts';
import type { Answer, Person, CallData, Tenant, World } from './world.ts';

/** The password that a thief chooses for another user's account. */
export const thiefsPassword = 'granite willow parade';

/** A caller with a token. */
export type Sender = { send: <E extends Endpoint>(endpoint: E, sent?: CallData) => Promise<Answer<E>> };

/** Steps of administrators who take over accounts and sign under them. */
export const holdSteps = (world: World) => {
  const accounts = accountSteps(world);

  const bearing = (token: string): Sender => ({
    send: (endpoint, sent = {}) =>
      world.send(endpoint, { ...sent, headers: { authorization: `Bearer ${token}`, ...sent.headers } }),
  });

  /** Signs in with a password, and with a code if a code is required. */
  const enter = async (
    { username, tenant }: { username: string; tenant: Tenant },
    password: string,
    code?: string,
  ): Promise<Sender> => {
    const { data } = await world.send(sessions.login, {
      body: { username, password, ...(code !== undefined && { code }) },
      headers: { 'x-tenantid': tenant.subdomain },
    });
    return bearing(data.token);
  };

  const usePath = (link: string | null, password = thiefsPassword) =>
    world.send(passwordLinks.use, { body: { token: link?.split('#')[1] ?? '', password } });

  return {
    ...accounts,
    enter,
    usePath,

    /** Takes over an account as an administrator. Without mail, the reset replies with the link. */
    take: async (admin: Person, owner: { userId: string; username: string; tenant: Tenant }): Promise<Sender> => {
      const { data } = await admin.send(users.resetPassword, { params: { id: owner.userId } });
      await usePath(data.link);
      return enter(owner, thiefsPassword);
    },

    /** Creates a user as an administrator and sets the password through the invitation. */
    invite: async (admin: Person, body: object = {}) => {
      const username = `new.${crypto.randomUUID().slice(0, 8)}`;
      const form = { username, name: 'Dr Gregory House', email: `${username}@example.org`, userType: 'RADIOLOGIST' };
      const created = await admin.send(users.create, { body: { ...form, ...body } });
      await usePath(created.data.invitation?.link ?? null);
      const newcomer = { userId: created.data.user.id, username, tenant: admin.tenant };
      return { ...newcomer, sender: await enter(newcomer, thiefsPassword) };
    },

    /** Begins and signs a report of a new study under an account. */
    sign: async (sender: Sender, tenant: Tenant) => {
      const study = await world.inTenant(tenant, (scope) => addStudy(scope));
      const { data } = await sender.send(reports.create, {
        params: { id: study.id },
        body: { content: reportText, patientId: study.patientId },
      });
      return sender.send(reports.finalize, {
        params: { id: data.id },
        body: { content: reportText, signatureData: signature },
      });
    },
  };
};
