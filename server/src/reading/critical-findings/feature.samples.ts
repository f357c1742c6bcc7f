import { criticalFindings } from '@radwork/contract/reading/critical-findings';
import { reports } from '@radwork/contract/reading/reports';
import { newId } from '#core/values/ids.ts';
import { orNotFound } from '#core/http/problem.ts';
import { defineSamples } from '#test/feature-samples.ts';

export const samples = defineSamples({
  access: `
                                                                 asks for        anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/critical-contacts                                config.manage   401       200  200  403  403  403  none      403    200
    PUT    /api/critical-contacts                                config.manage   401       may  may  403  403  403  none      403    may
    GET    /api/critical-findings                                report.view     401       200  200  200  200  403  none      403    200
    GET    /api/critical-findings/export                         study.export    401       200  200  200  403  403  none      403    200
    GET    /api/critical-findings/{id}                           report.view     401       200  200  200  200  403  404       403    200
    POST   /api/critical-findings/{id}/acknowledgement           report.view     401       rule rule rule rule 403  404       403    403
    POST   /api/critical-findings/{id}/acknowledgement-in-report report.view     401       rule rule rule rule 403  404       403    403
    POST   /api/critical-findings/{id}/communications            critical.manage 401       403  403  may  403  403  404       403    403
    GET    /api/critical-findings/{id}/recipients                critical.manage 401       403  403  200  403  403  404       403    403
    POST   /api/critical-findings/{id}/withdrawal                critical.manage 401       403  403  may  403  403  404       403    403
    GET    /api/studies/{id}/critical-findings                   report.view     401       200  200  200  200  403  404       403    200
    POST   /api/workflow/reports/{id}/critical-findings          critical.manage 401       403  403  may  403  403  404       403    403
  `,
  unaudited: [criticalFindings.contacts, criticalFindings.recipients],
  ids: { '/critical-findings/': 'findingId' },
  bodies: [
    [criticalFindings.acknowledgeInReport, {}],
    [reports.addCriticalFinding, { finding: 'x', severity: 'URGENT' }],
    [criticalFindings.communicate, { recipientName: 'x', method: 'PHONE' }],
    [criticalFindings.withdraw, { reason: 'x' }],
    [criticalFindings.saveContacts, { onCall: [], lead: [] }],
  ],
  after: ['reports'],
  fill: async ({ author, mark, id: idOf }) => {
    const { data } = await author.send(criticalFindings.ofStudy, { params: { id: idOf('studyId') } });
    const { id } = orNotFound(data[0], 'finding');
    await author.send(criticalFindings.communicate, {
      params: { id },
      body: { recipientName: mark, method: 'PHONE', note: mark },
    });
    return { findingId: id };
  },
  insert: async ({ db }, { author, id }) => {
    const restart = { id: newId(), finding_id: id('findingId'), state: 'OPEN' as const };
    await db.insertInto('critical_restarts').values(restart).execute();
    await db.insertInto('critical_contacts').values({ rung: 'LEAD', user_id: author.userId }).execute();
  },
});
