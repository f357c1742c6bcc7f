import { reportAutosaves } from '@radwork/contract/reading/report-autosaves';
import { newId } from '#core/values/ids.ts';
import { defineSamples, nobody } from '#test/feature-samples.ts';

const content = '<p>Text</p>';

const unfinished = {
  id: '0193d4a0-0000-7000-8000-000000000001',
  reportId: null,
  baseRevision: null,
  patientId: null,
  hasCriticalFindings: false,
  criticalFindingsDetails: '',
  replaces: null,
};

export const samples = defineSamples({
  access: `
                                                asks for    anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/studies/{id}/kept-texts         report.edit 401       403  403  200  403  403  404       403    403
    PUT    /api/workflow/studies/{id}/kept-text report.edit 401       403  403  may  403  403  404       403    403
    DELETE /api/workflow/studies/{id}/kept-text report.edit 401       403  403  may  403  403  404       403    403
  `,
  bodies: [[reportAutosaves.keep, { ...unfinished, content }]],
  queries: [[reportAutosaves.giveUp, `?keptTextId=${nobody}`]],
  after: ['studies'],
  insert: async ({ db }, { author, mark, id }) => {
    await db
      .insertInto('report_autosaves')
      .values({
        id: newId(),
        study_id: id('studyId'),
        writer_id: author.userId,
        patient_id: id('patientId'),
        content: `<p>${mark}</p>`,
        has_critical_findings: true,
        critical_findings_details: mark,
      })
      .execute();
  },
});
