import { expect, test } from 'vitest';
import { filesOfDrop, filesOfInput } from './chosen-files.ts';

const file = (name: string) => new File(['x'], name);
const names = (files: readonly { name: string }[]) => files.map(({ name }) => name);

type Entry = Pick<FileSystemEntry, 'isFile' | 'isDirectory' | 'fullPath'>;

/** A folder as browsers hand it out: its entries in portions, then an empty one. */
const folder = (fullPath: string, children: Entry[], portion = 2) => {
  let given = 0;
  const readEntries = (answer: (entries: Entry[]) => void) => {
    answer(children.slice(given, given + portion));
    given += portion;
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

test('a dropped folder gives all files at any depth, with their paths', async () => {
  const series = folder('/CT/SE1', [fileEntry('/CT/SE1/IM1'), fileEntry('/CT/SE1/IM2'), fileEntry('/CT/SE1/IM3')]);
  const study = folder('/CT', [series, fileEntry('/CT/IM9')]);

  const { files } = await filesOfDrop(drop(study, fileEntry('/single.dcm')), () => {});

  expect(names(files)).toEqual(['CT/SE1/IM1', 'CT/SE1/IM2', 'CT/SE1/IM3', 'CT/IM9', 'single.dcm']);
  expect(files[0]?.size).toBe(1);
});

test('a file or folder that the browser cannot read is named, not lost', async () => {
  const locked = {
    ...folder('/locked', []),
    createReader: () => ({ readEntries: (_: unknown, refuse: () => void) => refuse() }),
  };

  const { files, leftOut } = await filesOfDrop(drop(unreadableEntry('/held.dcm'), locked, fileEntry('/IM1')), () => {});

  expect(names(files)).toEqual(['IM1']);
  expect(leftOut).toEqual([
    { name: 'held.dcm', why: 'The browser could not read it' },
    { name: 'locked', why: 'The browser could not read it' },
  ]);
});

test('whoever drops a large folder sees how far it has been read', async () => {
  const counts: number[] = [];
  const large = folder(
    '/CT',
    Array.from({ length: 450 }, (_, index) => fileEntry(`/CT/IM${index}`)),
    100,
  );

  const { files } = await filesOfDrop(drop(large), (count) => counts.push(count));

  expect(files).toHaveLength(450);
  expect(counts).toEqual([200, 400]);
});

test('files of the operating system and directories of a disc are left out, whatever else there is stays', async () => {
  const chosen = ['.DS_Store', 'Thumbs.db', '._IM1', 'DICOMDIR', 'IM1', 'readme.txt'].map(file);

  const { files, leftOut } = await filesOfInput(chosen, () => {});

  expect(names(files)).toEqual(['IM1', 'readme.txt']);
  expect(names(leftOut)).toEqual(['.DS_Store', 'Thumbs.db', '._IM1', 'DICOMDIR']);
});
