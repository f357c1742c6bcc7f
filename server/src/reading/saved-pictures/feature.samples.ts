import { savedPictures } from '@radwork/contract/reading/saved-pictures';
import { defineSamples } from '#test/feature-samples.ts';

const pictureNote = { seriesInstanceUIDs: ['2.25.1'], sopInstanceUID: null, isIdentified: false, way: 'FILE' };

export const samples = defineSamples({
  access: `
                                              asks for     anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    POST   /api/saved-pictures/for-study/{id} study.export 401       may  may  may  403  403  404       403    may
  `,
  ids: { '/saved-pictures/for-study/': 'studyId' },
  bodies: [[savedPictures.note, pictureNote]],
});
