import { guidelines } from '@radwork/contract/knowledge/guidelines';
import { defineSamples } from '#test/feature-samples.ts';
import { sendForm } from '#test/library-files.ts';

export const samples = defineSamples({
  access: `
                                               asks for         anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/guidelines                     staff            401       200  200  200  200  403  none      403    200
    POST   /api/guidelines                     guideline.manage 401       may  may  may  403  403  none      403    may
    GET    /api/guidelines/{id}                staff            401       200  200  200  200  403  404       403    200
    PUT    /api/guidelines/{id}                guideline.manage 401       may  may  may  403  403  404       403    may
    DELETE /api/guidelines/{id}                guideline.manage 401       may  may  may  403  403  404       403    may
    DELETE /api/guidelines/{id}/files/{fileId} guideline.manage 401       may  may  may  403  403  404       403    may
  `,
  unaudited: [guidelines.list, guidelines.get],
  ids: { '/guidelines/': 'guidelineId' },
  bodies: [
    [guidelines.create, { title: 'x', author: 'x', content: 'x' }],
    [guidelines.update, { title: 'x', author: 'x', content: 'x' }],
  ],
  fill: async ({ author, mark }) => {
    const body = { title: mark, author: mark, modality: 'CT', bodyPart: mark, summary: mark, content: mark };
    const files = [{ name: `${mark}.pdf`, bytes: Buffer.from(`%PDF-1.7 ${mark}`) }];
    const advice = await sendForm(author, 'POST', '/guidelines', { part: 'guideline', body, files });
    return { guidelineId: String(advice.data.id) };
  },
});
