import { Readable } from 'node:stream';
import { uidFrom } from '@radwork/dicom/uid';
import { simpleInstance } from '@radwork/phantom/instance';
import { storeInstances } from './store/store-instances.ts';
import { newId } from '#core/values/ids.ts';
import { defineSamples, type Filling } from '#test/feature-samples.ts';

const storeImage = async ({ world, author, mark }: Filling) => {
  const [studyUid, seriesUid, instanceUid] = ['study', 'series', 'instance'].map((level) => uidFrom(mark, level));
  const bytes = simpleInstance({
    StudyInstanceUID: studyUid,
    SeriesInstanceUID: seriesUid,
    SOPInstanceUID: instanceUid,
    PatientName: `${mark}^Person`,
    PatientID: mark,
    StudyDescription: mark,
    SeriesDescription: mark,
    AccessionNumber: mark.slice(0, 16),
  });
  const files = [{ name: `${mark}.dcm`, body: Readable.from([bytes]) }];
  const { refused } = await storeInstances(world.context, author.session, files);
  if (refused.length > 0) throw new Error(`The image was refused: ${refused[0]?.reason}`);
  return { studyUid: studyUid ?? '', seriesUid: seriesUid ?? '', instanceUid: instanceUid ?? '' };
};

export const samples = defineSamples({
  access: `
                                                                                                                asks for     anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/qido-rs/instances                                                                               study.view   401       200  200  200  200  403  none      403    200
    GET    /api/qido-rs/series                                                                                  study.view   401       200  200  200  200  403  none      403    200
    GET    /api/qido-rs/studies                                                                                 study.view   401       200  200  200  200  403  none      403    200
    GET    /api/qido-rs/studies/{studyUid}/instances                                                            study.view   401       200  200  200  200  403  404       403    200
    GET    /api/qido-rs/studies/{studyUid}/series                                                               study.view   401       200  200  200  200  403  404       403    200
    GET    /api/qido-rs/studies/{studyUid}/series/{seriesUid}/instances                                         study.view   401       200  200  200  200  403  404       403    200
    POST   /api/stow-rs/studies                                                                                 study.create 401       may  may  may  403  403  none      403    may
    POST   /api/stow-rs/studies/{studyUid}                                                                      study.create 401       may  may  may  403  403  415       403    may
    GET    /api/wado-rs/studies/{studyUid}                                                                      study.view   401       200  200  200  200  403  404       403    200
    DELETE /api/wado-rs/studies/{studyUid}                                                                      study.delete 401       may  may  403  403  403  404       403    may
    GET    /api/wado-rs/studies/{studyUid}/metadata                                                             study.view   401       200  200  200  200  403  404       403    200
    GET    /api/wado-rs/studies/{studyUid}/rendered                                                             study.view   401       200  200  200  200  403  404       403    200
    GET    /api/wado-rs/studies/{studyUid}/series/{seriesUid}                                                   study.view   401       200  200  200  200  403  404       403    200
    DELETE /api/wado-rs/studies/{studyUid}/series/{seriesUid}                                                   study.delete 401       may  may  403  403  403  405       403    may
    GET    /api/wado-rs/studies/{studyUid}/series/{seriesUid}/instances/{instanceUid}                           study.view   401       200  200  200  200  403  404       403    200
    DELETE /api/wado-rs/studies/{studyUid}/series/{seriesUid}/instances/{instanceUid}                           study.delete 401       may  may  403  403  403  405       403    may
    GET    /api/wado-rs/studies/{studyUid}/series/{seriesUid}/instances/{instanceUid}/bulkdata/{rest}           study.view   401       404  404  404  404  403  404       403    404
    GET    /api/wado-rs/studies/{studyUid}/series/{seriesUid}/instances/{instanceUid}/frames/{frames}           study.view   401       200  200  200  200  403  404       403    200
    GET    /api/wado-rs/studies/{studyUid}/series/{seriesUid}/instances/{instanceUid}/frames/{frames}/rendered  study.view   401       200  200  200  200  403  404       403    200
    GET    /api/wado-rs/studies/{studyUid}/series/{seriesUid}/instances/{instanceUid}/frames/{frames}/thumbnail study.view   401       200  200  200  200  403  404       403    200
    GET    /api/wado-rs/studies/{studyUid}/series/{seriesUid}/instances/{instanceUid}/metadata                  study.view   401       200  200  200  200  403  404       403    200
    GET    /api/wado-rs/studies/{studyUid}/series/{seriesUid}/instances/{instanceUid}/rendered                  study.view   401       200  200  200  200  403  404       403    200
    POST   /api/wado-rs/studies/{studyUid}/series/{seriesUid}/instances/{instanceUid}/rendered                  study.view   401       may  may  may  may  403  404       403    403
    GET    /api/wado-rs/studies/{studyUid}/series/{seriesUid}/instances/{instanceUid}/thumbnail                 study.view   401       200  200  200  200  403  404       403    200
    GET    /api/wado-rs/studies/{studyUid}/series/{seriesUid}/metadata                                          study.view   401       200  200  200  200  403  404       403    200
    GET    /api/wado-rs/studies/{studyUid}/series/{seriesUid}/rendered                                          study.view   401       200  200  200  200  403  404       403    200
    GET    /api/wado-rs/studies/{studyUid}/series/{seriesUid}/thumbnail                                         study.view   401       200  200  200  200  403  404       403    200
    GET    /api/wado-rs/studies/{studyUid}/thumbnail                                                            study.view   401       200  200  200  200  403  404       403    200
    POST   /api/wado-rs/studies/{studyUid}/thumbnail                                                            study.view   401       may  may  may  may  403  404       403    403
    GET    /dicom-web/instances                                                                                 study.view   401       200  200  200  200  403  none      403    200
    GET    /dicom-web/series                                                                                    study.view   401       200  200  200  200  403  none      403    200
    GET    /dicom-web/studies                                                                                   study.view   401       200  200  200  200  403  none      403    200
    POST   /dicom-web/studies                                                                                   study.create 401       may  may  may  403  403  none      403    may
    GET    /dicom-web/studies/{studyUid}                                                                        study.view   401       200  200  200  200  403  404       403    200
    POST   /dicom-web/studies/{studyUid}                                                                        study.create 401       may  may  may  403  403  415       403    may
    DELETE /dicom-web/studies/{studyUid}                                                                        study.delete 401       may  may  403  403  403  404       403    may
    GET    /dicom-web/studies/{studyUid}/instances                                                              study.view   401       200  200  200  200  403  404       403    200
    GET    /dicom-web/studies/{studyUid}/metadata                                                               study.view   401       200  200  200  200  403  404       403    200
    GET    /dicom-web/studies/{studyUid}/rendered                                                               study.view   401       200  200  200  200  403  404       403    200
    GET    /dicom-web/studies/{studyUid}/series                                                                 study.view   401       200  200  200  200  403  404       403    200
    GET    /dicom-web/studies/{studyUid}/series/{seriesUid}                                                     study.view   401       200  200  200  200  403  404       403    200
    DELETE /dicom-web/studies/{studyUid}/series/{seriesUid}                                                     study.delete 401       may  may  403  403  403  405       403    may
    GET    /dicom-web/studies/{studyUid}/series/{seriesUid}/instances                                           study.view   401       200  200  200  200  403  404       403    200
    GET    /dicom-web/studies/{studyUid}/series/{seriesUid}/instances/{instanceUid}                             study.view   401       200  200  200  200  403  404       403    200
    DELETE /dicom-web/studies/{studyUid}/series/{seriesUid}/instances/{instanceUid}                             study.delete 401       may  may  403  403  403  405       403    may
    GET    /dicom-web/studies/{studyUid}/series/{seriesUid}/instances/{instanceUid}/bulkdata/{rest}             study.view   401       404  404  404  404  403  404       403    404
    GET    /dicom-web/studies/{studyUid}/series/{seriesUid}/instances/{instanceUid}/frames/{frames}             study.view   401       200  200  200  200  403  404       403    200
    GET    /dicom-web/studies/{studyUid}/series/{seriesUid}/instances/{instanceUid}/frames/{frames}/rendered    study.view   401       200  200  200  200  403  404       403    200
    GET    /dicom-web/studies/{studyUid}/series/{seriesUid}/instances/{instanceUid}/frames/{frames}/thumbnail   study.view   401       200  200  200  200  403  404       403    200
    GET    /dicom-web/studies/{studyUid}/series/{seriesUid}/instances/{instanceUid}/metadata                    study.view   401       200  200  200  200  403  404       403    200
    GET    /dicom-web/studies/{studyUid}/series/{seriesUid}/instances/{instanceUid}/rendered                    study.view   401       200  200  200  200  403  404       403    200
    POST   /dicom-web/studies/{studyUid}/series/{seriesUid}/instances/{instanceUid}/rendered                    study.view   401       may  may  may  may  403  404       403    403
    GET    /dicom-web/studies/{studyUid}/series/{seriesUid}/instances/{instanceUid}/thumbnail                   study.view   401       200  200  200  200  403  404       403    200
    GET    /dicom-web/studies/{studyUid}/series/{seriesUid}/metadata                                            study.view   401       200  200  200  200  403  404       403    200
    GET    /dicom-web/studies/{studyUid}/series/{seriesUid}/rendered                                            study.view   401       200  200  200  200  403  404       403    200
    GET    /dicom-web/studies/{studyUid}/series/{seriesUid}/thumbnail                                           study.view   401       200  200  200  200  403  404       403    200
    GET    /dicom-web/studies/{studyUid}/thumbnail                                                              study.view   401       200  200  200  200  403  404       403    200
    POST   /dicom-web/studies/{studyUid}/thumbnail                                                              study.view   401       may  may  may  may  403  404       403    403
  `,
  parameters: { studyUid: 'studyUid', seriesUid: 'seriesUid', instanceUid: 'instanceUid' },
  values: { frames: '1' },
  unknown: () => ({ studyUid: uidFrom(newId()), seriesUid: uidFrom(newId()), instanceUid: uidFrom(newId()) }),
  fill: storeImage,
  insert: async ({ db }, { id, mark }) => {
    const series = await db.selectFrom('series').select('id').executeTakeFirstOrThrow();
    await db
      .insertInto('series_metadata')
      .values({ series_id: series.id, instance_count: 0, body: Buffer.from(mark) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await db
      .insertInto('blob_removals')
      .values({ sha256: Buffer.alloc(32) })
      .execute();
    await db
      .insertInto('unused_bytes')
      .values({ sha256: Buffer.alloc(32) })
      .execute();
    await db
      .insertInto('worklist_told')
      .values({ study_id: id('studyId'), patient_id: mark, issuer: '', patient_name: mark })
      .execute();
    await db
      .insertInto('series_requests')
      .values({ series_id: series.id, item: 1, scheduled_procedure_step_id: mark, requested_procedure_id: mark })
      .execute();
  },
});
