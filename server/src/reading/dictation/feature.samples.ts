import { dictation } from '@radwork/contract/reading/dictation';
import { defineSamples } from '#test/feature-samples.ts';
import { silentWave } from './read-wave.ts';

export const samples = defineSamples({
  access: `
                                           asks for      anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    POST   /api/dictation/phrases          report.edit   401       403  403  may  403  403  none      403    403
    POST   /api/dictation/test             config.manage 401       may  may  403  403  403  none      403    may
    GET    /api/dictation/corrections      report.edit   401       403  403  200  403  403  none      403    403
    POST   /api/dictation/corrections      report.edit   401       403  403  may  403  403  none      403    403
    PUT    /api/dictation/corrections/{id} report.edit   401       403  403  may  403  403  404       403    403
    DELETE /api/dictation/corrections/{id} report.edit   401       403  403  may  403  403  404       403    403
  `,
  unaudited: [dictation.corrections],
  ids: { '/dictation/corrections/': 'correctionId' },
  bodies: [
    [dictation.transcribe, { audio: silentWave(0.1).toString('base64'), language: 'en', before: '' }],
    [dictation.test, { dictationUrl: 'https://dictation.invalid/v1', dictationModel: '', dictationKey: '' }],
    [dictation.addCorrection, { written: 'x', said: 'y' }],
    [dictation.changeCorrection, { written: 'x', said: 'z' }],
  ],
  fill: async ({ author, mark }) => {
    const { data } = await author.send(dictation.addCorrection, { body: { written: mark, said: `${mark}!` } });
    return { correctionId: data.id };
  },
});
