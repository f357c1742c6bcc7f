import { atlas } from '@radwork/contract/knowledge/atlas';
import { defineSamples } from '#test/feature-samples.ts';
import { sendForm } from '#test/library-files.ts';

export const samples = defineSamples({
  access: `
                                          asks for     anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/atlas                     staff        401       200  200  200  200  403  none      403    200
    POST   /api/atlas                     atlas.manage 401       may  may  may  403  403  none      403    may
    GET    /api/atlas/{id}                staff        401       200  200  200  200  403  404       403    200
    PUT    /api/atlas/{id}                atlas.manage 401       may  may  may  403  403  404       403    may
    DELETE /api/atlas/{id}                atlas.manage 401       may  may  may  403  403  404       403    may
    DELETE /api/atlas/{id}/files/{fileId} atlas.manage 401       may  may  may  403  403  404       403    may
  `,
  unaudited: [atlas.list, atlas.get],
  ids: { '/atlas/': 'atlasId' },
  bodies: [
    [atlas.create, { title: 'x', author: 'x' }],
    [atlas.update, { title: 'x', author: 'x' }],
  ],
  fill: async ({ author, mark }) => {
    const body = { title: mark, author: mark, modality: 'CT', bodyPart: mark, summary: mark, content: mark };
    const files = [{ name: `${mark}.pdf`, bytes: Buffer.from(`%PDF-1.7 ${mark}`) }];
    const entry = await sendForm(author, 'POST', '/atlas', { part: 'atlas', body, files });
    return { atlasId: String(entry.data.id), fileId: String(entry.data.files[0].id) };
  },
});
