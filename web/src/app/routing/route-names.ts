import { linkOptions } from '@tanstack/react-router';

/** Paths of the product by name, for links and navigation inside app/. */
export const places = {
  home: () => linkOptions({ to: '/home' }),
  viewer: (id?: string) => linkOptions({ to: '/viewer/{-$id}', params: { id } }),
  usviewer: (id?: string) => linkOptions({ to: '/usviewer/{-$id}', params: { id } }),
  mpr: (id: string, series?: string) => linkOptions({ to: '/mpr/$id/{-$series}', params: { id, series } }),
  petct: (id?: string, fusion?: string) => linkOptions({ to: '/petct/{-$id}', params: { id }, search: { fusion } }),
  studies: (studyId?: string) => linkOptions({ to: '/studies', search: { studyId } }),
  'patient-detail': (id: string) => linkOptions({ to: '/patients/$id', params: { id } }),
  reports: (reportId?: string) => linkOptions({ to: '/reports', search: { reportId } }),
  Users: (id?: string) => linkOptions({ to: '/users/{-$id}', params: { id } }),
  StudyDetails: (id: string) => linkOptions({ to: '/studies/$id', params: { id } }),
  StudyEdit: (id: string) => linkOptions({ to: '/studies/$id/edit', params: { id } }),
  StudyCreate: () => linkOptions({ to: '/studies/create' }),
  PatientList: () => linkOptions({ to: '/patients' }),
  PatientDetails: (id: string) => linkOptions({ to: '/patients/$id', params: { id } }),
  CreatePatient: () => linkOptions({ to: '/patients/create' }),
  EditPatient: (id: string) => linkOptions({ to: '/patients/$id/edit', params: { id } }),
};
