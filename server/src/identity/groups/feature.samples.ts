import { groups } from '@radwork/contract/identity/groups';
import { defineSamples, nobody } from '#test/feature-samples.ts';

const form = { name: 'x', kind: 'SITE' as const, memberIds: [nobody] };

export const samples = defineSamples({
  access: `
                               asks for    anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/groups           staff       401       200  200  200  200  403  none      403    200
    POST   /api/groups           user.manage 401       may  may  403  403  403  none      403    may
    GET    /api/groups/{id}      user.manage 401       200  200  403  403  403  404       403    200
    PUT    /api/groups/{id}      user.manage 401       may  may  403  403  403  404       403    may
    DELETE /api/groups/{id}      user.manage 401       may  may  403  403  403  404       403    may
    PUT    /api/users/{id}/limit user.manage 401       may  may  403  403  403  404       403    may
  `,
  unaudited: [groups.list, groups.get],
  ids: { '/groups/': 'groupId' },
  fields: { memberIds: 'userId' },
  bodies: [
    [groups.create, form],
    [groups.update, { ...form, revision: 1 }],
    [groups.setLimit, { isLimited: true }],
  ],
  after: ['users'],
  fill: async ({ personOf, author, mark }) => {
    const body = { name: mark.slice(0, 80), kind: 'SITE' as const, memberIds: [author.userId] };
    const { data } = await personOf('SUPER_ADMIN').send(groups.create, { body });
    return { groupId: data.id };
  },
});
