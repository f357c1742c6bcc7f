import { drafting } from '@radwork/contract/reading/drafting';
import { newId } from '#core/values/ids.ts';
import { defineSamples, nobody } from '#test/feature-samples.ts';

export const samples = defineSamples({
  access: `
                                                              asks for    anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    POST   /api/gemini/generate                               report.edit 401       403  403  may  403  403  none      403    403
    POST   /api/gemini/medical-report                         report.edit 401       403  403  may  403  403  none      403    403
    GET    /api/studies/{id}/ai-passages                      report.edit 401       403  403  200  403  403  404       403    403
    POST   /api/studies/{id}/ai-passages/{passageId}/decision report.edit 401       403  403  may  403  403  404       403    403
  `,
  parameters: { passageId: 'aiPassageId' },
  bodies: [
    [drafting.generate, { prompt: 'no effusion', studyId: nobody }],
    [drafting.medicalReport, { studyDescription: 'CT chest', findings: 'no effusion' }],
    [drafting.decide, { decision: 'ACCEPTED' }],
  ],
  after: ['studies'],
  insert: async ({ db }, { author, mark, id }) => {
    const aiPassageId = newId();
    await db
      .insertInto('ai_passages')
      .values({
        id: aiPassageId,
        study_id: id('studyId'),
        kind: 'IMPRESSION',
        provider: 'OPENAI',
        model: mark,
        prompt_hash: Buffer.alloc(32),
        text_hash: Buffer.alloc(32),
        created_by: author.userId,
      })
      .execute();
    return { aiPassageId };
  },
});
