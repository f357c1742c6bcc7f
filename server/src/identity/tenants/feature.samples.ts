import { ownOrganization, setup, tenants } from '@radwork/contract/identity/tenants';
import { defineSamples } from '#test/feature-samples.ts';

const tenantForm = {
  name: 'x',
  subdomain: 'somewhere-else',
  timeZone: 'UTC',
  locale: 'en-GB',
  storageQuotaBytes: null,
};

const administrator = { username: 'first', name: 'First', email: 'first@example.org' };

const organizationForm = {
  name: 'x',
  timeZone: 'UTC',
  locale: 'en-GB',
  productName: '',
  recycleBinDays: 30,
  auditYears: 6,
  referrersSee: 'OWN',
  secondFactorPolicy: 'OPTIONAL',
  contradictingPatients: 'REFUSE_TWO',
  uploadIssuer: '',
  revision: 1,
};

export const samples = defineSamples({
  access: `
                                    asks for      anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/organization        config.manage 401       200  200  403  403  403  none      403    200
    PUT    /api/organization        config.manage 401       may  may  403  403  403  none      403    may
    GET    /api/organization/brand  public        200       200  200  200  200  200  none      none   none
    POST   /api/setup               public        404       404  404  404  404  404  none      none   none
    POST   /api/setup/check         public        404       404  404  404  404  404  none      none   none
    GET    /api/tenants             tenant.manage 401       200  403  403  403  403  none      403    200
    POST   /api/tenants             tenant.manage 401       may  403  403  403  403  none      403    may
    GET    /api/tenants/{id}        tenant.manage 401       200  403  403  403  403  none      403    200
    PUT    /api/tenants/{id}        tenant.manage 401       may  403  403  403  403  none      403    may
    GET    /api/tenants/{id}/export tenant.manage 401       200  403  403  403  403  none      403    200
    PUT    /api/tenants/{id}/status tenant.manage 401       may  403  403  403  403  none      403    may
  `,
  unaudited: [ownOrganization.read, ownOrganization.brand, tenants.list, tenants.get],
  ids: { '/tenants/': 'organizationId' },
  bodies: [
    [setup.check, { token: 'x'.repeat(43) }],
    [
      setup.complete,
      {
        token: 'x'.repeat(43),
        administrator,
        password: 'correct horse battery',
        name: 'x',
        subdomain: 'first',
        timeZone: 'UTC',
      },
    ],
    [tenants.create, { ...tenantForm, administrator }],
    [tenants.update, { ...tenantForm, revision: 1 }],
    [tenants.setStatus, { active: true, reason: '' }],
    [ownOrganization.save, organizationForm],
  ],
  fill: async ({ world, tenant }) => {
    const { public_id: organizationId } = await world.owner
      .selectFrom('tenants')
      .select('public_id')
      .where('id', '=', tenant.id)
      .executeTakeFirstOrThrow();
    return { organizationId };
  },
});
