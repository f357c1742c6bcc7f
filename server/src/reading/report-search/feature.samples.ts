import { reportHitsExport, reportSearch } from '@radwork/contract/reading/report-search';
import { defineSamples } from '#test/feature-samples.ts';
import { rulesVersion } from './index-older-reports.ts';

export const samples = defineSamples({
  access: `
                                           asks for     anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/reports/authors            report.view  401       200  200  200  200  403  none      403    200
    GET    /api/reports/export             study.export 401       200  200  200  403  403  none      403    200
    GET    /api/reports/text-search        report.view  401       200  200  200  200  403  none      403    200
    GET    /api/reports/text-search/export study.export 401       200  200  200  403  403  none      403    200
  `,
  unaudited: [reportSearch.authors],
  queries: [
    [reportSearch.find, '?text=report'],
    [reportHitsExport, '?text=report'],
  ],
  after: ['reports'],
  insert: async ({ db }) => {
    await db
      .insertInto('report_text_indexings')
      .values({ rules_version: rulesVersion, finished_at: new Date().toISOString() })
      .onConflict((known) => known.doNothing())
      .execute();
  },
});
