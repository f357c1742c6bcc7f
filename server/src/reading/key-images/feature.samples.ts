import { keyImages } from '@radwork/contract/reading/key-images';
import { newId } from '#core/values/ids.ts';
import { defineSamples } from '#test/feature-samples.ts';
import { plainLook } from '#test/plain-look.ts';

const keyImageForm = {
  seriesInstanceUID: '2.25.1',
  sopInstanceUID: '2.25.2',
  frame: 1,
  note: '',
  look: plainLook,
  revision: 0,
};

export const samples = defineSamples({
  access: `
                                                               asks for     anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/key-images/for-study/{id}                      study.view   401       200  200  200  200  403  404       403    200
    GET    /api/key-images/for-study/{id}/export               study.export 401       200  200  200  403  403  404       403    200
    POST   /api/key-images/for-study/{id}/store                report.edit  401       403  403  may  403  403  404       403    403
    PUT    /api/key-images/for-study/{id}/{keyImageId}         report.edit  401       403  403  may  403  403  404       403    403
    DELETE /api/key-images/for-study/{id}/{keyImageId}         report.edit  401       403  403  may  403  403  404       403    403
    GET    /api/key-images/for-study/{id}/{keyImageId}/picture report.edit  401       403  403  200  403  403  404       403    403
  `,
  ids: { '/key-images/for-study/': 'studyId' },
  parameters: { keyImageId: 'keyImageId' },
  bodies: [[keyImages.save, keyImageForm]],
  queries: [[keyImages.remove, '?revision=1']],
  after: ['studies'],
  fill: async ({ author, mark, id }) => {
    const keyImageId = newId();
    const body = {
      seriesInstanceUID: id('seriesUid'),
      sopInstanceUID: id('instanceUid'),
      frame: 1,
      note: mark,
      look: { ...plainLook, window: { lower: -160, upper: 240 } },
      revision: 0,
    };
    await author.send(keyImages.save, { params: { id: id('studyId'), keyImageId }, body });
    return { keyImageId };
  },
});
