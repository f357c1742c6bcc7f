import { writePart10 } from '@radwork/dicom/part10';
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { file, haveWhatUploadsNeed, openScreen, slowFile } from '#test/upload-screen.tsx';

haveWhatUploadsNeed();

test('what could not be read stays in sight, whatever else has arrived', async () => {
  const { user, input } = await openScreen();
  const scratched = file('IM2');
  vi.spyOn(scratched, 'slice').mockImplementation(() => {
    throw new DOMException('The file could not be read', 'NotReadableError');
  });

  await user.upload(input, [file('IM1'), scratched]);

  expect(await screen.findByText('1 file or folder could not be read and will not be sent')).toBeDefined();
  expect(screen.getByText('IM2')).toBeDefined();
  expect(screen.queryByText(/left out/)).toBeNull();
});

test('what could not be read and came after all is dismissed, and stays in the list of what was left out', async () => {
  const { user, input } = await openScreen();
  const scratched = file('IM1');
  const slice = vi.spyOn(scratched, 'slice').mockImplementation(() => {
    throw new DOMException('The file could not be read', 'NotReadableError');
  });
  await user.upload(input, [scratched]);
  await screen.findByText('1 file or folder could not be read and will not be sent');

  slice.mockRestore();
  await user.upload(input, [scratched]);
  await screen.findByRole('button', { name: 'Upload 1 file' });
  await user.click(screen.getByRole('button', { name: 'Dismiss' }));

  expect(screen.queryByText(/could not be read and will not be sent/)).toBeNull();
  expect(screen.getByText('1 file left out')).toBeDefined();
});

/** The directory of a disc of three images. */
const directory = () => {
  const records = ['IM1', 'IM2', 'IM3'].map((name) => ({ DirectoryRecordType: 'IMAGE', ReferencedFileID: name }));
  const dataset = { SOPClassUID: '1.2.840.10008.1.3.10', SOPInstanceUID: '2.25.1', DirectoryRecordSequence: records };
  const bytes = writePart10({ transferSyntaxUID: '1.2.840.10008.1.2.1', dataset });
  return new File([new Uint8Array(bytes)], 'DICOMDIR', { lastModified: 1_790_000_000_000 });
};

test('what is missing of a disc is counted once, and no more when the disc is chosen again and is whole', async () => {
  const { user, input } = await openScreen();
  const [two, three] = [file('IM2', { SOPInstanceUID: '2.25.104' }), file('IM3', { SOPInstanceUID: '2.25.105' })];
  await user.upload(input, [directory(), file('IM1')]);
  await screen.findByText('2 files that the DICOMDIR lists are missing or no DICOM');

  await user.upload(input, [directory(), file('IM1'), two]);

  expect(await screen.findByText('1 file that the DICOMDIR lists is missing or no DICOM')).toBeDefined();
  expect(screen.queryByText(/^2 files that the DICOMDIR lists/)).toBeNull();

  await user.upload(input, [directory(), file('IM1'), two, three]);

  await screen.findByRole('button', { name: 'Upload 3 files' });
  expect(screen.queryByText(/that the DICOMDIR lists/)).toBeNull();
});

test('a slow disc is waited for, although what was chosen after it is there already', async () => {
  const { user, input, address } = await openScreen();
  const { slow, arrive } = slowFile('IM1', { SOPInstanceUID: '2.25.104' });

  await user.upload(input, [slow]);
  await user.upload(input, [file('IM2')]);

  expect((await screen.findByRole('button', { name: 'Upload 1 file' })).hasAttribute('disabled')).toBe(true);
  expect(screen.getByText(/^Looking into files/)).toBeDefined();

  await user.click(screen.getByRole('link', { name: 'Reports' }));
  const question = await screen.findByRole('dialog', { name: 'Leave while files are being looked into?' });
  await user.click(within(question).getByRole('button', { name: 'Cancel' }));

  expect(address()).toBe('/studies/create');

  arrive();

  expect((await screen.findByRole('button', { name: 'Upload 2 files' })).hasAttribute('disabled')).toBe(false);
  expect(screen.queryByText(/^Looking into files/)).toBeNull();
});

test('what was wrong with one choice is still said after another one', async () => {
  const { user, input } = await openScreen();

  await user.upload(input, [new File(['PK\u0003\u0004 and nothing else of a ZIP file'], 'disc.zip')]);
  await screen.findByText(/^disc\.zip cannot be opened/);
  await user.upload(input, [file('IM1')]);
  await screen.findByRole('button', { name: 'Upload 1 file' });

  expect(screen.getByText(/^disc\.zip cannot be opened/)).toBeDefined();
  expect(screen.getByText('1 file left out')).toBeDefined();
});

test('a choice that is still being looked into goes with the list that is cleared', async () => {
  const { user, input } = await openScreen();
  const { slow, arrive } = slowFile('IM1', { SOPInstanceUID: '2.25.104' });
  await user.upload(input, [file('IM2')]);
  await screen.findByRole('button', { name: 'Upload 1 file' });
  await user.upload(input, [slow, file('IM3', { SOPInstanceUID: '2.25.105' })]);

  await user.click(screen.getByRole('button', { name: 'Clear list' }));
  arrive();

  await screen.findByText(/^Files are recognised by their content/);
  expect(screen.getByRole('button', { name: 'Upload' }).hasAttribute('disabled')).toBe(true);
  expect(screen.queryByRole('region', { name: 'Files' })).toBeNull();
});

test('a state that no file is in says so', async () => {
  const { user, input } = await openScreen();
  await user.upload(input, [file('IM1')]);

  await user.click(await screen.findByRole('button', { name: 'Failed 0' }));

  expect(screen.getByText('No file is in this state.')).toBeDefined();
});
