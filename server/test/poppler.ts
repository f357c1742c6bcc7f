import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const run = (program: string, pdf: Buffer, ...args: string[]): string => {
  const { status, stdout, stderr } = spawnSync(program, args, { input: pdf, maxBuffer: 64 << 20 });
  if (status !== 0) throw new Error(`${program}: ${stderr.toString()}`);
  return stdout.toString();
};

/** True when Debian's poppler-utils is installed. Tests that read a PDF are skipped without it. */
export const hasPoppler = spawnSync('pdftotext', ['-v']).status === 0;

/** Returns the text of each page in reading order. */
export const pagesOf = (pdf: Buffer): string[] => run('pdftotext', pdf, '-', '-').split('\f').slice(0, -1);

/** Removes blanks from a text, because lines break anywhere on paper. */
export const unspaced = (text: string): string => text.replaceAll(/[\s\u{200b}\u{ad}]+/gu, '');

/** Returns the text of the whole file without blanks. */
export const textOfPdf = (pdf: Buffer): string => unspaced(pagesOf(pdf).join(''));

/** Returns the box of each word, in points from the top left of its page, and the page sizes. */
export const wordBoxes = (pdf: Buffer) =>
  [
    ...run('pdftotext', pdf, '-bbox', '-', '-').matchAll(
      /<word xMin="(\S+)" yMin="(\S+)" xMax="(\S+)" yMax="(\S+)">(.*?)<\/word>/g,
    ),
  ].map(([, left, top, right, bottom, word = '']) => ({
    word,
    left: Number(left),
    top: Number(top),
    right: Number(right),
    bottom: Number(bottom),
  }));

/** Returns the size of the first page as poppler prints it: "595.28 x 841.89 pts (A4)". */
export const paperOf = (pdf: Buffer): string => /^Page size:\s*(.+)$/m.exec(run('pdfinfo', pdf, '-'))?.[1] ?? '';

/** Returns the font name and size, in points, of a word on the first page. */
export const lettersOf = (pdf: Buffer, word: string): { name: string; size: number } => {
  const page = run('pdftohtml', pdf, '-xml', '-stdout', '-i', '-zoom', '1', '-l', '1', '-fontfullname', '-', '-');
  const [, id] = new RegExp(`font="(\\d+)">[^\n]*${word}`).exec(page) ?? [];
  const [, size, name = ''] = new RegExp(`<fontspec id="${id}" size="(\\d+)" family="([^"]+)"`).exec(page) ?? [];
  return { name, size: Number(size) };
};

/** Returns one line for each image in the file. */
export const picturesOfPdf = (pdf: Buffer): string[] => run('pdfimages', pdf, '-list', '-').trim().split('\n').slice(2);

/** Returns the files of the images in a PDF, in their order. A JPEG is the file that was embedded. */
export const imageFilesOfPdf = async (pdf: Buffer): Promise<Buffer[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'radwork-pdf-'));
  try {
    run('pdfimages', pdf, '-all', '-', join(folder, 'image'));
    const names = (await readdir(folder)).toSorted();
    return await Promise.all(names.map((name) => readFile(join(folder, name))));
  } finally {
    await rm(folder, { recursive: true });
  }
};

/** Returns the number of pixels per inch of each image on its page, across and down. */
export const resolutionsOfPdf = (pdf: Buffer): { across: number; down: number }[] =>
  picturesOfPdf(pdf).map((line) => {
    const [across, down] = line.trim().split(/\s+/).slice(12, 14).map(Number);
    return { across: across ?? Number.NaN, down: down ?? Number.NaN };
  });
