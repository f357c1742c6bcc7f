import { measurements } from '@radwork/contract/reading/measurements';
import { newId } from '#core/values/ids.ts';
import { defineSamples } from '#test/feature-samples.ts';

const measurementForm = {
  tool: 'LENGTH',
  seriesInstanceUID: '2.25.1',
  sopInstanceUID: '2.25.2',
  frame: 1,
  frameOfReferenceUID: null,
  points: [
    [0, 0, 0],
    [10, 0, 0],
  ],
  plane: null,
  label: '',
  values: [],
  revision: 0,
};

export const samples = defineSamples({
  access: `
                                                            asks for     anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/measurements/for-study/{id}                 study.view   401       200  200  200  200  403  404       403    200
    GET    /api/measurements/for-study/{id}/export          study.export 401       200  200  200  403  403  404       403    200
    POST   /api/measurements/for-study/{id}/store           report.edit  401       403  403  may  403  403  404       403    403
    PUT    /api/measurements/for-study/{id}/{measurementId} report.edit  401       403  403  may  403  403  404       403    403
    DELETE /api/measurements/for-study/{id}/{measurementId} report.edit  401       403  403  may  403  403  404       403    403
  `,
  ids: { '/measurements/for-study/': 'studyId' },
  parameters: { measurementId: 'measurementId' },
  bodies: [[measurements.save, measurementForm]],
  queries: [[measurements.remove, '?revision=1']],
  after: ['studies'],
  fill: async ({ author, mark, id }) => {
    const measurementId = newId();
    const body = {
      tool: 'LENGTH' as const,
      seriesInstanceUID: id('seriesUid'),
      sopInstanceUID: id('instanceUid'),
      frame: 1,
      frameOfReferenceUID: null,
      points: [[0, 0, 0] as [number, number, number], [10, 0, 0] as [number, number, number]],
      plane: null,
      label: mark,
      values: [{ quantity: 'LENGTH' as const, value: 10, unit: 'mm' }],
      revision: 0,
    };
    await author.send(measurements.save, { params: { id: id('studyId'), measurementId }, body });
    return { measurementId };
  },
});
