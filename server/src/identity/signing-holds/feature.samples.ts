import { signingHolds } from '@radwork/contract/identity/signing-holds';
import { newId } from '#core/values/ids.ts';
import { defineSamples } from '#test/feature-samples.ts';

export const samples = defineSamples({
  access: `
                                              asks for      anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/account/signing               authenticated 401       200  200  200  200  200  none      403    200
    POST   /api/account/signing/code          authenticated 401       may  may  may  may  may  none      403    may
    POST   /api/account/signing/mail          authenticated 401       may  may  may  may  may  none      403    may
    POST   /api/account/signing/prove         authenticated 401       may  may  may  may  may  none      403    may
    GET    /api/tenants/{id}/unproven-signing tenant.manage 401       200  403  403  403  403  none      403    200
    PUT    /api/tenants/{id}/unproven-signing tenant.manage 401       may  403  403  403  403  none      403    may
    GET    /api/users/{id}/signing            user.manage   401       200  200  403  403  403  404       403    200
    POST   /api/users/{id}/signing/confirm    user.manage   401       may  may  403  403  403  404       403    may
  `,
  unaudited: [signingHolds.own, signingHolds.tenantRule, signingHolds.ofUser],
  bodies: [
    [signingHolds.proveByCode, { code: '123456' }],
    [signingHolds.proveByMail, { token: 'x' }],
    [signingHolds.setTenantRule, { isAllowed: true }],
  ],
  insert: async ({ db }, { author: { userId, session }, mark }) => {
    await db
      .insertInto('signing_proofs')
      .values({
        id: newId(),
        user_id: userId,
        session_id: session.id,
        token_hash: Buffer.alloc(32, 9),
        sent_to: mark,
        expires_at: '2126-01-01T00:00:00Z',
      })
      .execute();
  },
});
