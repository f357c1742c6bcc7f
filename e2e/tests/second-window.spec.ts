import { expect, type Page, test } from '@playwright/test';
import { readHeader } from '@radwork/dicom/header';
import { computedRadiography } from '@radwork/phantom/studies';
import { studies } from '@radwork/contract/imaging/studies';
import { callAs } from '../src/api-steps.ts';
import { complaintsOf, signIn, violations } from '../src/steps.ts';
import { upload } from '../src/viewer-steps.ts';

/** Uploads a radiograph of a new patient; returns the id of its study. */
const uploadOf = async (page: Page, name: string): Promise<string> => {
  const patient = {
    PatientName: `Window^${name}`,
    PatientID: `E2E-WINDOW-${name}`,
    PatientBirthDate: '19610203',
    PatientSex: 'F',
  } as const;
  const files = [
    ...computedRadiography({ seed: `window ${name}`, patient, studyDate: '20261112', accessionNumber: `WIN-${name}` }),
  ];
  await upload(page, files);
  const studyUid = files[0] ? readHeader(files[0].bytes).studyInstanceUID : '';
  return (await callAs(page, studies.getByUid, { params: { studyUid } })).id;
};

const patientIn = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name: new RegExp(`Window, ${name}`) });

test('a second window shows the images of the open study, and follows it until the user releases it', async ({
  page,
}) => {
  const complaints = complaintsOf(page);
  await signIn(page, 'radiologist');
  const [ada, ben] = [await uploadOf(page, 'Ada'), await uploadOf(page, 'Ben')];
  await page.goto(`/studies/${ada}`);
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Images in a second window' }).click();
  const images = await opened;
  const complaintsOfImages = complaintsOf(images);
  await expect(patientIn(images, 'Ada')).toBeVisible();
  await expect(images.getByTestId('image-number')).toBeVisible();

  await page.goto(`/studies/${ben}`);
  await expect(patientIn(images, 'Ben')).toBeVisible();
  await expect(images).toHaveURL(new RegExp(`/viewer/${ben}$`));
  expect(await violations(images)).toEqual([]);

  // A study that the user chooses in the window for images opens in both windows.
  await images.keyboard.press('Control+k');
  await images.getByRole('combobox').fill('Window, Ada');
  await images.getByRole('group', { name: 'Studies' }).getByRole('option').first().click();
  await expect(page).toHaveURL(new RegExp(`/studies/${ada}$`));
  await expect(patientIn(images, 'Ada')).toBeVisible();
  await expect(images).toHaveURL(new RegExp(`/viewer/${ada}$`));
  await page.goto(`/studies/${ben}`);
  await expect(patientIn(images, 'Ben')).toBeVisible();

  await images.getByRole('button', { name: 'Stop following' }).click();
  await page.goto(`/studies/${ada}`);
  await expect(patientIn(page, 'Ada')).toBeVisible();
  await expect(patientIn(images, 'Ben')).toBeVisible();
  expect([...complaints, ...complaintsOfImages]).toEqual([]);
});
