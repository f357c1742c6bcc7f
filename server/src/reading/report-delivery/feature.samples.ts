import { reportDeliveries } from '@radwork/contract/reading/report-delivery';
import { uidFrom } from '@radwork/dicom/uid';
import { newId } from '#core/values/ids.ts';
import { defineSamples } from '#test/feature-samples.ts';

export const samples = defineSamples({
  access: `
                                                           asks for    anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    POST   /api/external/reports                           report.send 401       may  may  may  403  403  none      403    may
    GET    /api/external/reports/destinations              report.send 401       200  200  200  403  403  none      403    200
    GET    /api/reports/{id}/deliveries                    report.send 401       200  200  200  403  403  404       403    200
    POST   /api/reports/{id}/deliveries/{deliveryId}/retry report.send 401       may  may  may  403  403  404       403    may
    GET    /api/reports/{id}/pdf                           report.view 401       200  200  200  200  403  404       403    200
    GET    /api/reports/{id}/preliminary/pdf               report.view 401       200  200  200  404  403  404       403    200
    POST   /api/reports/{id}/store-in-study                report.send 401       may  may  may  403  403  404       403    may
  `,
  unaudited: [reportDeliveries.destinations],
  parameters: { deliveryId: 'deliveryId' },
  after: ['reports', 'remote-archives'],
  insert: async ({ db }, { tenant, author, mark, id }) => {
    const deliveryId = newId();
    await db
      .insertInto('report_deliveries')
      .values({
        id: deliveryId,
        report_id: id('reportId'),
        kind: 'FHIR',
        remote_config_id: id('configurationId'),
        destination: mark,
        state: 'FAILED',
        error: mark,
        requested_by: author.userId,
        requested_by_tenant_id: tenant.id,
        requested_by_name: mark,
      })
      .execute();
    await db
      .insertInto('report_objects')
      .values({
        sop_instance_uid: uidFrom(mark),
        report_id: id('reportId'),
        patient_id: id('patientId'),
        naming: mark,
      })
      .execute();
    return { deliveryId };
  },
});
