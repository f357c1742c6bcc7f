import { roles } from '@radwork/contract/identity/roles';
import { defineSamples } from '#test/feature-samples.ts';

const roleForm = { name: 'x', permissions: ['study.view'] };

export const samples = defineSamples({
  access: `
                                 asks for    anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/permissions      role.manage 401       200  403  403  403  403  none      403    200
    GET    /api/roles            role.manage 401       200  403  403  403  403  none      403    200
    POST   /api/roles            role.manage 401       may  403  403  403  403  none      403    may
    GET    /api/roles/{id}       role.manage 401       200  403  403  403  403  404       403    200
    PUT    /api/roles/{id}       role.manage 401       may  403  403  403  403  404       403    may
    DELETE /api/roles/{id}       role.manage 401       may  403  403  403  403  404       403    may
    POST   /api/roles/{id}/clone role.manage 401       may  403  403  403  403  404       403    may
  `,
  unaudited: [roles.permissions, roles.list, roles.get],
  ids: { '/roles/': 'roleId' },
  bodies: [
    [roles.create, roleForm],
    [roles.clone, { name: 'x' }],
    [roles.update, { ...roleForm, revision: 1 }],
  ],
  fill: async ({ personOf, mark }) => {
    const body = { name: mark, description: mark, permissions: ['study.view' as const] };
    const role = await personOf('SUPER_ADMIN').send(roles.create, { body });
    return { roleId: role.data.id };
  },
});
