import { users } from '@radwork/contract/identity/users';
import { defineSamples, nobody } from '#test/feature-samples.ts';

const userForm = { username: 'new.user', name: 'x', email: 'x@example.org', userType: 'RADIOLOGIST' };

export const samples = defineSamples({
  access: `
                                          asks for      anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/tenants/{id}/users        user.manage   401       200  200  403  403  403  none      403    200
    GET    /api/users                     user.manage   401       200  200  403  403  403  none      403    200
    POST   /api/users                     user.manage   401       may  may  403  403  403  none      403    may
    GET    /api/users/export              user.manage   401       200  200  403  403  403  none      403    200
    GET    /api/users/role-choices        user.manage   401       200  200  403  403  403  none      403    200
    GET    /api/users/search              user.manage   401       200  200  403  403  403  none      403    200
    GET    /api/users/{id}                user.manage   401       200  200  403  403  403  404       403    200
    PUT    /api/users/{id}                user.manage   401       may  may  403  403  403  404       403    may
    DELETE /api/users/{id}                user.manage   401       may  may  403  403  403  404       403    may
    POST   /api/users/{id}/reset-password user.manage   401       may  may  403  403  403  404       403    may
    PUT    /api/users/{id}/roles          user.manage   401       may  may  403  403  403  404       403    may
    PUT    /api/users/{id}/status         user.manage   401       may  may  403  403  403  404       403    may
    PUT    /api/users/{id}/tenant         tenant.manage 401       may  403  403  403  403  404       403    may
  `,
  unaudited: [users.ofTenant, users.list, users.get, users.roleChoices, users.search],
  ids: { '/users/': 'userId' },
  fields: { roles: 'roleId' },
  bodies: [
    [users.create, { ...userForm, roles: [nobody] }],
    [users.update, { ...userForm, roles: [nobody], revision: 1 }],
    [users.setStatus, { active: true }],
    [users.setRoles, { roles: [nobody] }],
    [users.setTenant, { tenantId: nobody }],
  ],
  after: ['roles'],
  /** Creates a user who has never signed in. */
  fill: async ({ personOf, mark, id }) => {
    const person = { username: `u${mark}`.slice(0, 64), name: mark, email: 'x@example.org', specialization: mark };
    const body = { ...person, userType: 'RADIOLOGIST' as const, roles: [id('roleId')] };
    const created = await personOf('SUPER_ADMIN').send(users.create, { body });
    return { userId: created.data.user.id };
  },
});
