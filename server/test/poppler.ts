import { spawnSync } from 'node:child_process';

const run = (program: string, pdf: Buffer, ...args: string[]): string => {
  const { status, stdout, stderr } = spawnSync(program, args, { input: pdf, maxBuffer: 64 << 20 });
  if (status !== 0) throw new Error(`${program}: ${stderr.toString()}`);
  return stdout.toString();
};

/** Whether Debian's poppler-utils is installed: tests that read a PDF by it are skipped otherwise. */
export const hasPoppler = spawnSync('pdftotext', ['-v']).status === 0;

/** The words of each page, in the order in which they are read. */
export const pagesOf = (pdf: Buffer): string[] => run('pdftotext', pdf, '-', '-').split('\f').slice(0, -1);

/** A text without blanks: lines end anywhere on paper. */
export const unspaced = (text: string): string => text.replaceAll(/[\s\u{200b}\u{ad}]+/gu, '');

/** The words of the whole file without blanks. */
export const textOfPdf = (pdf: Buffer): string => unspaced(pagesOf(pdf).join(''));

/** Where each word stands, in points from the left and the top of its page, and the size of the pages. */
export const wordBoxes = (pdf: Buffer) =>
  [
    ...run('pdftotext', pdf, '-bbox', '-', '-').matchAll(/<word xMin="(\S+)" yMin="(\S+)" xMax="(\S+)" yMax="(\S+)">/g),
  ].map(([, left, top, right, bottom]) => ({
    left: Number(left),
    top: Number(top),
    right: Number(right),
    bottom: Number(bottom),
  }));

/** One line for each picture in the file. */
export const picturesOfPdf = (pdf: Buffer): string[] => run('pdfimages', pdf, '-list', '-').trim().split('\n').slice(2);
