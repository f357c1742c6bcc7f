import { defineSamples } from '#test/feature-samples.ts';
import { addChangesToSums } from './update-sums.ts';

export const samples = defineSamples({
  access: `
                                 asks for       anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/dashboard        dashboard.view 401       200  200  200  200  403  none      403    200
    GET    /api/dashboard/export dashboard.view 401       200  200  200  200  403  none      403    200
  `,
  after: ['reports', 'critical-findings'],
  insert: async (scope) => {
    await addChangesToSums(scope);
    await scope.db
      .insertInto('dashboard_changes')
      .values({ kind: 'ARRIVED', at: '2026-11-20T09:30:00Z', key: 'CT', change: 0 })
      .execute();
  },
});
