import { keyImages } from '@radwork/contract/reading/key-images';
import { measurements } from '@radwork/contract/reading/measurements';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { answer, refuse, serve, show } from '#test/screen.tsx';
import { DocumentMenu } from './document-menu.tsx';
import { documentKinds } from './document-kinds.ts';

const open = async (count: number, waiting = 0) => {
  show(<DocumentMenu kind={documentKinds.measurements} studyId="s1" count={count} waiting={waiting} />);
  await userEvent.click(screen.getByRole('button', { name: 'DICOM measurement report' }));
};
const item = (name: string) => screen.findByRole('menuitem', { name });

test('the document menu offers no document and says why if nothing was measured', async () => {
  await open(0);

  await screen.findByText('This study has no measurements yet');
  expect(await item('Download DICOM SR')).toHaveProperty('disabled', true);
  expect(await item('Store in the study')).toHaveProperty('disabled', true);
});

test('creating a document waits for measurements that the server has not saved yet', async () => {
  await open(2, 1);

  await screen.findByText('The latest measurements are not saved yet');
  expect(await item('Store in the study')).toHaveProperty('disabled', true);
});

test('a document is stored in the study only after the user confirms', async () => {
  let stored = 0;
  serve(
    answer(measurements.store, () => {
      stored += 1;
      return { seriesInstanceUID: '2.25.1', sopInstanceUID: '2.25.2', isNew: true };
    }),
  );
  await open(2);

  await userEvent.click(await item('Store in the study'));
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }));
  expect(stored).toBe(0);

  await userEvent.click(screen.getByRole('button', { name: 'DICOM measurement report' }));
  await userEvent.click(await item('Store in the study'));
  await userEvent.click(await screen.findByRole('button', { name: 'Store in the study' }));
  await screen.findByText('Measurements stored in the study');
  expect(stored).toBe(1);
});

test('the menu shows the reason when the archive refuses a document', async () => {
  serve(refuse(measurements.store, 422, 'The archive rejected the measurements: the server has no space left'));
  await open(2);

  await userEvent.click(await item('Store in the study'));
  await userEvent.click(await screen.findByRole('button', { name: 'Store in the study' }));
  expect(await screen.findByText(/the server has no space left/)).toBeTruthy();
});

test('a document of key images uses the texts for key images', async () => {
  serve(answer(keyImages.store, () => ({ seriesInstanceUID: '2.25.1', sopInstanceUID: '2.25.2', isNew: false })));
  show(<DocumentMenu kind={documentKinds.keyImages} studyId="s1" count={1} />);
  await userEvent.click(screen.getByRole('button', { name: 'DICOM key image selection' }));

  expect(await item('Download DICOM KO')).toHaveProperty('disabled', false);
  await userEvent.click(await item('Store in the study'));
  await userEvent.click(await screen.findByRole('button', { name: 'Store in the study' }));
  expect(await screen.findByText('The study already has these key images')).toBeTruthy();
});
