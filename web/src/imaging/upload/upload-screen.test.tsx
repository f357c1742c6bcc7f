import { textOf } from '@radwork/dicom/dataset';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { until } from '#test/eventually.ts';
import { FakeRequest } from '#test/fake-request.ts';
import { signIn } from '#test/screen.tsx';
import { file, haveWhatUploadsNeed, openScreen, respond, roe, sentHeaders } from '#test/upload-screen.tsx';

haveWhatUploadsNeed();

test('the upload screen has two tabs: files and DICOMweb', async () => {
  await openScreen();

  expect(screen.getByRole('heading', { name: 'Upload Study' })).toBeDefined();
  expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual(['DICOM Files', 'DICOMWEB']);
});

test('chosen files stay Pending until the user sends them', async () => {
  const { user, input } = await openScreen();

  await user.upload(input, [file('IM1'), file('IM2')]);

  await screen.findByRole('button', { name: 'Upload 2 files' });
  const rows = screen.getAllByRole('listitem').filter(({ textContent }) => textContent?.startsWith('IM'));
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^IM1.*Pending$/),
    expect.stringMatching(/^IM2.*Pending$/),
  ]);
  expect(screen.getByRole('button', { name: 'Upload 2 files' })).toBeDefined();
  expect(FakeRequest.last).toBeUndefined();
});

test('a file that is not DICOM is left out with a reason', async () => {
  const { user, input } = await openScreen();

  await user.upload(input, [file('IM1'), new File(['Autorun of the disc'], 'autorun.inf')]);

  expect(await screen.findByText('1 file left out')).toBeDefined();
  expect(screen.getByText('Not a DICOM file')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Upload 1 file' })).toBeDefined();
});

test('files with the same names in two folders are all listed', async () => {
  const { user, input } = await openScreen();
  const names = ['IM1', 'IM2'];

  await user.upload(
    input,
    names.map((name, index) => file(name, { SOPInstanceUID: `2.25.11${index}` })),
  );
  await screen.findByRole('button', { name: 'Upload 2 files' });
  await user.upload(
    input,
    names.map((name, index) => file(name, { SOPInstanceUID: `2.25.12${index}` })),
  );

  expect(await screen.findByRole('button', { name: 'Upload 4 files' })).toBeDefined();
  expect(screen.queryByText(/already in the list/)).toBeNull();
});

test('a file chosen again is reported as already in the list', async () => {
  const { user, input } = await openScreen();
  const [first, second] = [file('IM1'), file('IM2', { SOPInstanceUID: '2.25.104' })];

  await user.upload(input, [first]);
  await screen.findByRole('button', { name: 'Upload 1 file' });
  await user.upload(input, [first, second]);

  expect(await screen.findByText('1 file already in the list')).toBeDefined();
  expect(screen.getByText('Already in the list, sent once')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Upload 2 files' })).toBeDefined();
});

test('the result shows the stored files with study and patient, and the failed files with reasons', async () => {
  const { user, input, study } = await openScreen();
  await user.upload(input, [file('IM1'), file('IM2', { SOPInstanceUID: '2.25.104' })]);

  await user.click(await screen.findByRole('button', { name: 'Upload 2 files' }));
  await respond({
    stored: [{ name: '0', studyId: study.id }],
    refused: [{ name: '1', reason: 'The image in the file is damaged.' }],
  });

  const dialog = await screen.findByRole('dialog', { name: 'Error uploading files' });
  expect(within(dialog).getByText('The image in the file is damaged.')).toBeDefined();
  expect(within(dialog).getByText('IM2')).toBeDefined();

  await user.click(within(dialog).getByRole('button', { name: 'Close' }));

  expect(await screen.findByText('Failed to process files:')).toBeDefined();
  expect(screen.getByText('Successfully processed files:')).toBeDefined();
  expect(screen.getByText('1 of 2 files uploaded, 1 failed')).toBeDefined();
  const row = screen.getByRole('row', { name: /^Doe, Jane P-1/ });
  expect(within(row).getByText('1 of 2')).toBeDefined();
  expect(within(row).getByRole('link', { name: 'Open study' }).getAttribute('href')).toBe(`/studies/${study.id}`);
  expect(within(row).getByRole('link', { name: 'Viewer' }).getAttribute('href')).toBe(`/viewer/${study.id}`);
});

test('the user can send failed files again', async () => {
  const { user, input, study } = await openScreen();
  await user.upload(input, [file('IM1')]);
  await user.click(await screen.findByRole('button', { name: 'Upload 1 file' }));
  await respond({ stored: [], refused: [{ name: '0', reason: 'The disk is full.' }] });
  const dialog = await screen.findByRole('dialog', { name: 'Error uploading files' });
  FakeRequest.last = undefined;

  await user.click(within(dialog).getByRole('button', { name: 'Retry failed' }));
  await respond({ stored: [{ name: '0', studyId: study.id }], refused: [] });

  expect(await screen.findByText('1 of 1 files uploaded')).toBeDefined();
});

test('an invalid UID shows an error before sending', async () => {
  const { user, input } = await openScreen();
  await user.upload(input, [file('IM1')]);

  await user.type(screen.getByLabelText('Study UID'), '1.2..3');

  expect(screen.getByText('Use digits and single dots, at most 64 characters')).toBeDefined();
  expect((await screen.findByRole('button', { name: 'Upload 1 file' })).hasAttribute('disabled')).toBe(true);
});

test('leaving during an upload asks first', async () => {
  const { user, input, address } = await openScreen();
  await user.upload(input, [file('IM1')]);
  await user.click(await screen.findByRole('button', { name: 'Upload 1 file' }));

  await user.click(screen.getByRole('link', { name: 'Reports' }));
  const question = await screen.findByRole('dialog', { name: 'Leave during the upload?' });
  await user.click(within(question).getByRole('button', { name: 'Cancel' }));

  expect(address()).toBe('/studies/create');
});

test('patients are shown before sending, with a warning if there are several', async () => {
  const { user, input } = await openScreen();

  await user.upload(input, [file('IM1', { StudyDate: '20261120', StudyDescription: 'CT chest' }), file('IM2', roe)]);

  expect(await screen.findByText('2 studies of 2 patients')).toBeDefined();
  expect(screen.getByText(/^2 different patients in these files/)).toBeDefined();
  expect(screen.getByRole('row', { name: /^Doe, Jane P-1 2026-11-20 OT CT chest 1 1 0 of 1/ })).toBeDefined();
  expect(screen.getByRole('row', { name: /^Roe, Richard P-2/ })).toBeDefined();
});

test('pausing an upload keeps unsent files in the list', async () => {
  const { user, input, study } = await openScreen();
  await user.upload(input, [file('IM1')]);
  await user.click(await screen.findByRole('button', { name: 'Upload 1 file' }));

  await user.click(await screen.findByRole('button', { name: 'Pause' }));

  expect(screen.getByRole('button', { name: 'Pausing…' }).hasAttribute('disabled')).toBe(true);

  await respond({ stored: [{ name: '0', studyId: study.id }], refused: [] });

  expect(await screen.findByText('1 of 1 files uploaded')).toBeDefined();
});

test('de-identified files contain the new name and not the old one', async () => {
  const { user, input } = await openScreen();
  await user.upload(input, [
    file('IM1', { StudyDate: '20261120', InstitutionName: 'North Clinic' }),
    file('REPORT', { SOPClassUID: '1.2.840.10008.5.1.4.1.1.88.11', SOPInstanceUID: '2.25.109' }),
  ]);

  await user.click(await screen.findByRole('switch', { name: /^De-identify before sending/ }));
  const name = screen.getByRole('textbox', { name: 'New name of Doe, Jane' });
  await user.clear(name);
  await user.type(name, 'Case^One');
  await user.click(screen.getByRole('button', { name: 'Upload 1 file' }));
  const [header, ...others] = await sentHeaders();

  expect(others).toEqual([]);
  expect(textOf(header?.dataset ?? {}, 'PatientName')).toBe('Case^One');
  expect(textOf(header?.dataset ?? {}, 'PatientID')).toMatch(/^ANON-[A-Z2-9]{6}$/);
  expect(textOf(header?.dataset ?? {}, 'StudyDate')).toBeUndefined();
  expect(header?.studyInstanceUID).not.toBe('2.25.101');
  expect(JSON.stringify(header?.dataset)).not.toContain('North Clinic');
  expect(screen.getByText('A structured report, whose text may name the patient')).toBeDefined();
});

test('the screen lists the changes by de-identification before sending, without values', async () => {
  const { user, input } = await openScreen();
  await user.upload(input, [file('IM1', { InstitutionName: 'North Clinic' })]);
  await user.click(await screen.findByRole('switch', { name: /^De-identify before sending/ }));

  await user.click(screen.getByRole('button', { name: 'Show changes' }));

  const dialog = await screen.findByRole('dialog', { name: 'Planned changes' });
  expect(await within(dialog).findByRole('row', { name: 'InstitutionName Replaced 1' })).toBeDefined();
  expect(within(dialog).getByRole('row', { name: 'StudyInstanceUID New UID 1' })).toBeDefined();
  expect(within(dialog).queryByText(/North Clinic/)).toBeNull();
  expect(FakeRequest.last).toBeUndefined();
});

test('two patients cannot get the same new ID', async () => {
  const { user, input } = await openScreen();
  await user.upload(input, [file('IM1'), file('IM2', roe)]);
  await user.click(await screen.findByRole('switch', { name: /^De-identify before sending/ }));

  for (const who of ['Doe, Jane', 'Roe, Richard']) {
    const id = screen.getByRole('textbox', { name: `New ID of ${who}` });
    await user.clear(id);
    await user.type(id, 'CASE-1');
  }

  expect(screen.getAllByText('Another patient has this ID')).toHaveLength(2);
  expect(screen.getByRole('button', { name: 'Upload 2 files' }).hasAttribute('disabled')).toBe(true);
});

test('a DICOMDIR without its files is refused with the message of the specification', async () => {
  const { user, input } = await openScreen();

  await user.upload(input, [new File(['no directory'], 'DICOMDIR')]);

  expect(await screen.findByText('Please upload a valid DICOMDIR file.')).toBeDefined();
});

test('a session that ends during an upload keeps the list for the same user', async () => {
  const { user, input, router } = await openScreen();
  await user.upload(input, [file('IM1')]);
  await user.click(await screen.findByRole('button', { name: 'Upload 1 file' }));
  await until(() => FakeRequest.last);

  FakeRequest.last?.answer(401, { code: 401, error: 'session.ended', message: 'Please sign in' });
  expect(await screen.findByRole('heading', { name: /sign in/i })).toBeDefined();
  signIn();
  await router.navigate({ to: '/studies/create' });

  expect(await screen.findByRole('button', { name: 'Upload 1 file' })).toBeDefined();
  expect(screen.getByRole('row', { name: /^Doe, Jane/ })).toBeDefined();
});
