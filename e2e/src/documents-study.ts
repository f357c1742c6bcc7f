import type { Page } from '@playwright/test';
import { readHeader } from '@radwork/dicom/header';
import { ctVolume, presentationStates, studyDocuments } from '@radwork/phantom/studies';
import { documentTruth } from '@radwork/phantom/known-values';
import { signIn } from './steps.ts';
import { openViewer, upload } from './viewer-steps.ts';

export const options = {
  seed: 'documents',
  patient: { PatientName: 'Docu^Dora', PatientID: 'E2E-DOC', PatientBirthDate: '19610203', PatientSex: 'F' },
  studyDate: '20261112',
  accessionNumber: 'DOCUMENTS',
  slices: 20,
  size: 128,
} as const;
export const truth = documentTruth.content(options);
export const files = [...ctVolume(options), ...studyDocuments(options), ...presentationStates(options)];
export const studyUid = files[0] ? readHeader(files[0].bytes).studyInstanceUID : '';

export const strip = (page: Page) => page.getByRole('navigation', { name: 'Series' });
export const pane = (page: Page, number: number) => page.getByLabel(`Viewport ${number}`, { exact: true });

export const openStudy = async (page: Page) => {
  page.setDefaultTimeout(20_000);
  await signIn(page, 'radiologist');
  await upload(page, files);
  await openViewer(page, studyUid);
};
