import { reportAddenda } from '@radwork/contract/reading/report-addenda';
import { reports } from '@radwork/contract/reading/reports';
import { reportLinks } from '@radwork/contract/reading/sharing';
import { orNotFound } from '#core/http/problem.ts';
import { defineSamples, type Filling, nobody } from '#test/feature-samples.ts';
import { beginReport, signature } from '#test/report-steps.ts';

const content = '<p>Text</p>';

/** Creates a finalized report with a critical finding and a share link. */
const writeReport = async ({ author, mark, id }: Filling) => {
  const content = `<p>${mark}</p>`;
  const draft = await beginReport(author, id('studyId'), {
    content,
    hasCriticalFindings: true,
    criticalFindingsDetails: mark,
  });
  const params = { id: draft.data.id };
  await author.send(reports.addCriticalFinding, { params, body: { finding: mark, severity: 'URGENT' } });
  const preliminary = await author.send(reports.issuePreliminary, { params, body: {} });
  const final = await author.send(reports.finalize, { params, body: { content, signatureData: signature } });
  const addendum = await author.send(reportAddenda.begin, { params, body: { kind: 'ADDENDUM', content } });
  const link = await author.send(reportLinks.create, { params, body: {} });
  if ([preliminary, final, link].some(({ code }) => code !== 200)) {
    throw new Error([preliminary, final, link].map(({ message }) => message).join(', '));
  }
  const addendumId = orNotFound(addendum.data.addendumDraft?.id, 'addendum');
  return { addendumId, reportId: params.id, version: final.data.history.length, linkHash: link.data.linkHash };
};

export const samples = defineSamples({
  access: `
                                                           asks for        anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/reports                                    report.view     401       200  200  200  200  403  none      403    200
    GET    /api/reports/views                              report.view     401       200  200  200  200  403  none      403    200
    GET    /api/reports/{id}                               report.view     401       200  200  200  200  403  404       403    200
    POST   /api/reports/{id}/addenda                       report.finalize 401       403  403  may  403  403  404       403    403
    PUT    /api/reports/{id}/addenda/{addendumId}          report.finalize 401       403  403  may  403  403  404       403    403
    DELETE /api/reports/{id}/addenda/{addendumId}          report.finalize 401       403  403  may  403  403  404       403    403
    POST   /api/reports/{id}/addenda/{addendumId}/finalize report.finalize 401       403  403  may  403  403  404       403    403
    GET    /api/reports/{id}/reviewers                     report.view     401       200  200  200  200  403  404       403    200
    GET    /api/reports/{id}/versions/{version}            report.view     401       200  200  200  200  403  404       403    200
    GET    /api/studies/{id}/report                        report.view     401       200  200  200  200  403  404       403    200
    POST   /api/workflow/reports/draft/{id}                report.create   401       403  403  may  403  403  404       403    403
    POST   /api/workflow/reports/{id}/draft                report.edit     401       403  403  may  403  403  404       403    403
    POST   /api/workflow/reports/{id}/finalize             report.finalize 401       403  403  may  403  403  404       403    403
    POST   /api/workflow/reports/{id}/preliminary          report.edit     401       403  403  may  403  403  404       403    403
    POST   /api/workflow/reports/{id}/request-review       report.edit     401       403  403  may  403  403  404       403    403
    POST   /api/workflow/reports/{id}/reroute-review       study.assign    401       may  may  may  403  403  404       403    403
    POST   /api/workflow/reports/{id}/submit-review        report.review   401       403  403  rule 403  403  404       403    403
  `,
  unaudited: [reports.reviewers, reports.views],
  ids: { '/reports/': 'reportId', '/workflow/reports/': 'reportId', '/workflow/reports/draft/': 'studyId' },
  parameters: { addendumId: 'addendumId', version: 'version' },
  fields: { reviewerId: 'assigneeId' },
  unknown: () => ({ version: 1 }),
  bodies: [
    [reports.create, { content, patientId: nobody }],
    [reports.save, { content, revision: 1 }],
    [reports.finalize, { content, signatureData: signature, revision: 1 }],
    [reportAddenda.begin, { kind: 'ADDENDUM', content }],
    [reportAddenda.save, { kind: 'ADDENDUM', content, revision: 1 }],
    [reportAddenda.sign, { kind: 'ADDENDUM', content, signatureData: signature, revision: 1 }],
    [reports.issuePreliminary, { revision: 1 }],
    [reports.requestReview, { reviewerId: nobody, notes: '' }],
    [reports.submitReview, { approved: true, comments: 'Fine' }],
    [reports.rerouteReview, { reviewerId: nobody }],
  ],
  after: ['studies'],
  fill: writeReport,
});
