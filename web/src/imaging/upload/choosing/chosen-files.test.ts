import { expect, test } from 'vitest';
import { type FoundFile, filesOfDrop, filesOfInput, skipReasonOf } from './chosen-files.ts';

const file = (name: string) => new File(['x'], name);

const all = async (files: AsyncIterable<FoundFile>) => {
  const list: FoundFile[] = [];
  for await (const one of files) list.push(one);
  return list;
};

const nameOf = ({ name }: FoundFile) => name;

type Entry = Pick<FileSystemEntry, 'isFile' | 'isDirectory' | 'fullPath'>;

/** Simulates a folder as browsers return it: its entries in portions, then an empty portion. */
const folder = (fullPath: string, children: Entry[], portion = 2) => {
  let delivered = 0;
  const readEntries = (answer: (entries: Entry[]) => void) => {
    answer(children.slice(delivered, delivered + portion));
    delivered += portion;
  };
  return { isFile: false, isDirectory: true, fullPath, createReader: () => ({ readEntries }) };
};

const fileEntry = (fullPath: string) => ({
  isFile: true,
  isDirectory: false,
  fullPath,
  file: (answer: (found: File) => void) => answer(file(fullPath.slice(fullPath.lastIndexOf('/') + 1))),
});

const unreadableEntry = (fullPath: string) => ({
  ...fileEntry(fullPath),
  file: (_: unknown, refuse: () => void) => refuse(),
});

const drop = (...entries: Entry[]) =>
  entries.map((entry) => ({ webkitGetAsEntry: () => entry })) as unknown as DataTransferItemList;

test('a dropped folder adds the files at any depth, with their paths', async () => {
  const series = folder('/CT/SE1', [fileEntry('/CT/SE1/IM1'), fileEntry('/CT/SE1/IM2'), fileEntry('/CT/SE1/IM3')]);
  const study = folder('/CT', [series, fileEntry('/CT/IM9')]);

  const files = await all(filesOfDrop(drop(study, fileEntry('/single.dcm'))));

  expect(files.map(nameOf)).toEqual(['CT/SE1/IM1', 'CT/SE1/IM2', 'CT/SE1/IM3', 'CT/IM9', 'single.dcm']);
  expect(files[0]).toMatchObject({ size: 1 });
});

test('a file or folder that the browser cannot read is reported', async () => {
  const locked = {
    ...folder('/locked', []),
    createReader: () => ({ readEntries: (_: unknown, refuse: () => void) => refuse() }),
  };

  const files = await all(filesOfDrop(drop(unreadableEntry('/held.dcm'), locked, fileEntry('/IM1'))));

  expect(files).toEqual([
    { name: 'held.dcm', why: 'The browser could not read the file' },
    { name: 'locked', why: 'The browser could not read this folder. Its files are not sent' },
    expect.objectContaining({ name: 'IM1' }),
  ]);
});

test('a dropped file without a folder, such as a mail attachment, is added or reported as unreadable', async () => {
  const items = [
    { kind: 'file', webkitGetAsEntry: () => null, getAsFile: () => file('IM1') },
    { kind: 'file', webkitGetAsEntry: () => null, getAsFile: () => null },
    { kind: 'string', webkitGetAsEntry: () => null, getAsFile: () => null },
  ] as unknown as DataTransferItemList;

  const files = await all(filesOfDrop(items));

  expect(files).toEqual([
    expect.objectContaining({ name: 'IM1', size: 1 }),
    { name: 'Dropped file', why: 'The browser could not read the file. Save the file to a disk, then choose it' },
  ]);
});

test('chosen files stay in the list when the browser empties its input', () => {
  const inputFiles = [file('IM1'), file('IM2')];

  const files = filesOfInput(inputFiles);
  inputFiles.length = 0;

  expect([...files].map(nameOf)).toEqual(['IM1', 'IM2']);
});

test('system files such as Thumbs.db are recognized by their names', () => {
  const reasons = ['.DS_Store', 'CT/Thumbs.db', '._IM1', '__MACOSX/CT/IM1', 'DICOMDIR', 'IM1'].map(skipReasonOf);

  expect(reasons.map((reason) => reason !== undefined)).toEqual([true, true, true, true, false, false]);
});
