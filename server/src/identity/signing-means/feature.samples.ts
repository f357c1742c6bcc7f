import { signingMeansCalls } from '@radwork/contract/identity/signing-means';
import { defineSamples } from '#test/feature-samples.ts';
import { sealedImageColumn, sealedPinColumn } from './stored-means.ts';

export const samples = defineSamples({
  access: `
                                           asks for        anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    PUT    /api/account/signature          report.finalize 401       403  403  may  403  403  none      403    403
    POST   /api/account/signature/remove   report.finalize 401       403  403  may  403  403  none      403    403
    GET    /api/account/signing-means      report.finalize 401       403  403  200  403  403  none      403    403
    PUT    /api/account/signing-pin        report.finalize 401       403  403  rule 403  403  none      403    403
    POST   /api/account/signing-pin/remove report.finalize 401       403  403  rule 403  403  none      403    403
  `,
  unaudited: [signingMeansCalls.read],
  bodies: [
    [signingMeansCalls.saveSignature, { signatureData: 'data:image/png;base64,iVBORw0KGgo=' }],
    [signingMeansCalls.removeSignature, {}],
    [signingMeansCalls.removePin, {}],
    [signingMeansCalls.setPin, { pin: '190482' }],
  ],
  insert: async ({ db }, { world, tenant, author: { userId }, mark }) => {
    const { vault } = world.context;
    const owner = { tenantId: tenant.id, userId };
    await db
      .insertInto('saved_signatures')
      .values({ user_id: userId, sealed_picture: vault.seal(mark, sealedImageColumn(owner)) })
      .execute();
    await db
      .insertInto('signing_pins')
      .values({ user_id: userId, sealed_hash: vault.seal(mark, sealedPinColumn(owner)) })
      .execute();
  },
});
