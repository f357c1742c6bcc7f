import type { Gender } from '@radwork/contract/imaging/patients';
import type { Elements } from '@radwork/dicom/part10';

/** Patient and study data for a generated file; names are DICOM person names. */
export type AboutStudy = {
  patient: { name: string; patientId: string; issuer: string; sex: Gender; birthDate: string | null };
  study: {
    studyInstanceUid: string;
    scannerStudyId: string;
    accessionNumber: string;
    description: string;
    /** A time without a zone, "2026-11-20T09:30:00". Null when unknown. */
    dateTime: string | null;
    referringPhysician: string;
  };
};

/** Returns the patient elements (PS3.3 §C.7.1.1). */
export const patientElements = ({ patient }: Pick<AboutStudy, 'patient'>): Elements => ({
  PatientName: patient.name,
  PatientID: patient.patientId,
  ...(patient.issuer && { IssuerOfPatientID: patient.issuer }),
  PatientBirthDate: patient.birthDate ? patient.birthDate.replaceAll('-', '') : [],
  PatientSex: patient.sex === 'U' ? [] : patient.sex,
});

/** Returns the study elements (PS3.3 §C.7.2.1). */
export const studyElements = ({ study }: Pick<AboutStudy, 'study'>): Elements => {
  const [date, time] = (study.dateTime ?? '').replaceAll(/[-:]/g, '').split('T');
  return {
    StudyInstanceUID: study.studyInstanceUid,
    StudyDate: date || [],
    StudyTime: time || [],
    StudyID: study.scannerStudyId || [],
    AccessionNumber: study.accessionNumber.slice(0, 16) || [],
    ReferringPhysicianName: study.referringPhysician || [],
    ...(study.description && { StudyDescription: study.description.slice(0, 64) }),
  };
};

/** Returns the local date and time of the tenant in DICOM form. */
export const localDateTime = (moment: string, timeZone: string): { date: string; time: string } => {
  const localText = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone });
  const [date = '', time = ''] = localText.format(new Date(moment)).replaceAll(/[-:]/g, '').split(' ');
  return { date, time };
};
