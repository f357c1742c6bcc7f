import { newUid } from '@radwork/dicom/uid';
import { simpleInstance } from '@radwork/phantom/instance';

/** An image in another archive. */
export type RemoteInstanceFile = { study: string; series: string; instance: string; bytes: Buffer };

/** Creates images of one new study, the same number in each series. */
export const newImages = (
  seriesCount: number,
  instancesEach: number,
  patientName = 'Doe^Jane',
): RemoteInstanceFile[] => {
  const [study, patientId] = [newUid(), newUid()];
  return Array.from({ length: seriesCount }, () => newUid()).flatMap((series) =>
    Array.from({ length: instancesEach }, (_, index) => {
      const instance = newUid();
      const bytes = simpleInstance({
        StudyInstanceUID: study,
        SeriesInstanceUID: series,
        SOPInstanceUID: instance,
        PatientID: patientId,
        PatientName: patientName,
        InstanceNumber: index + 1,
      });
      return { study, series, instance, bytes };
    }),
  );
};
