import { account, passwordLinks } from '@radwork/contract/identity/accounts';
import { orNotFound } from '#core/http/problem.ts';
import { defineSamples } from '#test/feature-samples.ts';
import { makePasswordLink } from '#identity/credentials/password-links.ts';
import { sealedKeyColumn } from '#identity/credentials/second-factor-code.ts';

const accountForm = { name: 'x', email: 'x@example.org', specialization: '', department: '', revision: 1 };

export const samples = defineSamples({
  access: `
                                                     asks for      anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/account                              authenticated 401       200  200  200  200  200  none      403    200
    PUT    /api/account                              authenticated 401       may  may  may  may  may  none      403    may
    POST   /api/account/second-factor                authenticated 401       may  may  may  may  may  none      403    may
    POST   /api/account/second-factor/confirm        authenticated 401       may  may  may  may  may  none      403    may
    POST   /api/account/second-factor/recovery-codes authenticated 401       may  may  may  may  may  none      403    may
    POST   /api/account/second-factor/remove         authenticated 401       may  may  may  may  may  none      403    may
    GET    /api/account/sessions                     authenticated 401       200  200  200  200  200  none      403    200
    POST   /api/account/sessions/end                 authenticated 401       may  may  may  may  may  none      403    may
    DELETE /api/account/sessions/{id}                authenticated 401       may  may  may  may  may  404       403    may
    GET    /api/auth/facts                           public        200       200  200  200  200  200  none      none   none
    POST   /api/auth/forgot-password                 public        400       400  400  400  400  400  none      none   none
    POST   /api/auth/password-links/check            public        400       400  400  400  400  400  none      none   none
    POST   /api/auth/password-links/use              public        400       400  400  400  400  400  none      none   none
    PUT    /api/users/{id}/password                  authenticated 401       rule rule rule rule rule 404       403    403
    POST   /api/users/{id}/reset-second-factor       user.manage   401       may  may  403  403  403  404       403    may
  `,
  unaudited: [account.read, account.sessions, passwordLinks.facts],
  ids: { '/account/sessions/': 'sessionId' },
  bodies: [
    [account.save, accountForm],
    [account.endSessions, { which: 'OTHERS' }],
    [account.changePassword, { currentPassword: 'x', newPassword: 'four words in a row' }],
    [account.beginSecondFactor, { currentPassword: 'x' }],
    [account.confirmSecondFactor, { code: '123456' }],
    [account.removeSecondFactor, { currentPassword: 'x', code: '123456' }],
    [account.renewRecoveryCodes, { currentPassword: 'x', code: '123456' }],
  ],
  /** Begins another session of a user. The user can end this session and stay signed in. */
  fill: async ({ world, tenant, author: { userId } }) => {
    const token = await world.inTenant(tenant, ({ db }) =>
      world.context.sessions.begin(db, userId, { address: '127.0.0.1', userAgent: 'test' }),
    );
    return { sessionId: orNotFound(await world.context.sessions.resolve(token, '127.0.0.1', true), 'session').id };
  },
  insert: async (scope, { world, tenant, author: { userId } }) => {
    await makePasswordLink(scope, userId, 'RESET');
    await scope.db
      .insertInto('second_factors')
      .values({
        user_id: userId,
        sealed_key: world.context.vault.seal('A'.repeat(32), sealedKeyColumn(tenant.id, userId)),
        recovery_salt: Buffer.alloc(16),
      })
      .execute();
    await scope.db
      .insertInto('recovery_codes')
      .values({ user_id: userId, code_hash: Buffer.alloc(32) })
      .execute();
  },
});
