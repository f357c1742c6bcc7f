import { writePart10 } from '@radwork/dicom/part10';
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { file, haveWhatUploadsNeed, openScreen, slowFile } from '#test/upload-screen.tsx';

haveWhatUploadsNeed();

test('unreadable files stay visible when more files are chosen', async () => {
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

test('a dismissed warning about an unreadable file leaves the file in the list of left-out files', async () => {
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

/** Returns the DICOMDIR of a disc with three images. */
const directory = () => {
  const records = ['IM1', 'IM2', 'IM3'].map((name) => ({ DirectoryRecordType: 'IMAGE', ReferencedFileID: name }));
  const dataset = { SOPClassUID: '1.2.840.10008.1.3.10', SOPInstanceUID: '2.25.1', DirectoryRecordSequence: records };
  const bytes = writePart10({ transferSyntaxUID: '1.2.840.10008.1.2.1', dataset });
  return new File([new Uint8Array(bytes)], 'DICOMDIR', { lastModified: 1_790_000_000_000 });
};

test('missing files of a disc are counted once, and the warning disappears when all files are chosen', async () => {
  const { user, input } = await openScreen();
  const [two, three] = [file('IM2', { SOPInstanceUID: '2.25.104' }), file('IM3', { SOPInstanceUID: '2.25.105' })];
  await user.upload(input, [directory(), file('IM1')]);
  await screen.findByText('2 files of the DICOMDIR are missing or not DICOM');

  await user.upload(input, [directory(), file('IM1'), two]);

  expect(await screen.findByText('1 file of the DICOMDIR is missing or not DICOM')).toBeDefined();
  expect(screen.queryByText(/^2 files of the DICOMDIR/)).toBeNull();

  await user.upload(input, [directory(), file('IM1'), two, three]);

  await screen.findByRole('button', { name: 'Upload 3 files' });
  expect(screen.queryByText(/of the DICOMDIR/)).toBeNull();
});

test('the upload is disabled while a slow disc is read, even if files chosen later are ready', async () => {
  const { user, input, address } = await openScreen();
  const { slow, arrive } = slowFile('IM1', { SOPInstanceUID: '2.25.104' });

  await user.upload(input, [slow]);
  await user.upload(input, [file('IM2')]);

  expect((await screen.findByRole('button', { name: 'Upload 1 file' })).hasAttribute('disabled')).toBe(true);
  expect(screen.getByText(/^Reading files/)).toBeDefined();

  await user.click(screen.getByRole('link', { name: 'Reports' }));
  const question = await screen.findByRole('dialog', { name: 'Leave before all files are read?' });
  await user.click(within(question).getByRole('button', { name: 'Cancel' }));

  expect(address()).toBe('/studies/create');

  arrive();

  expect((await screen.findByRole('button', { name: 'Upload 2 files' })).hasAttribute('disabled')).toBe(false);
  expect(screen.queryByText(/^Reading files/)).toBeNull();
});

test('a problem with chosen files stays visible after the user chooses more files', async () => {
  const { user, input } = await openScreen();

  await user.upload(input, [new File(['PK\u0003\u0004 and nothing else of a ZIP file'], 'disc.zip')]);
  await screen.findByText(/^disc\.zip cannot be opened/);
  await user.upload(input, [file('IM1')]);
  await screen.findByRole('button', { name: 'Upload 1 file' });

  expect(screen.getByText(/^disc\.zip cannot be opened/)).toBeDefined();
  expect(screen.getByText('1 file left out')).toBeDefined();
});

test('clearing the list also discards chosen files that are still being read', async () => {
  const { user, input } = await openScreen();
  const { slow, arrive } = slowFile('IM1', { SOPInstanceUID: '2.25.104' });
  await user.upload(input, [file('IM2')]);
  await screen.findByRole('button', { name: 'Upload 1 file' });
  await user.upload(input, [slow, file('IM3', { SOPInstanceUID: '2.25.105' })]);

  await user.click(screen.getByRole('button', { name: 'Clear list' }));
  arrive();

  await screen.findByText(/^Any DICOM file/);
  expect(screen.getByRole('button', { name: 'Upload' }).hasAttribute('disabled')).toBe(true);
  expect(screen.queryByRole('region', { name: 'Files' })).toBeNull();
});

test('if no file has the state of a tab, the tab shows a message', async () => {
  const { user, input } = await openScreen();
  await user.upload(input, [file('IM1')]);

  await user.click(await screen.findByRole('button', { name: 'Failed 0' }));

  expect(screen.getByText('No files in this state')).toBeDefined();
});
