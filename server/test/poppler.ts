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

/** The size of its first page as poppler calls it: "595.28 x 841.89 pts (A4)". */
export const paperOf = (pdf: Buffer): string => /^Page size:\s*(.+)$/m.exec(run('pdfinfo', pdf, '-'))?.[1] ?? '';

/** The name and the size, in points, of the letters that a word of its first page is set in. */
export const lettersOf = (pdf: Buffer, word: string): { name: string; size: number } => {
  const page = run('pdftohtml', pdf, '-xml', '-stdout', '-i', '-zoom', '1', '-l', '1', '-fontfullname', '-', '-');
  const [, id] = new RegExp(`font="(\\d+)">[^\n]*${word}`).exec(page) ?? [];
  const [, size, name = ''] = new RegExp(`<fontspec id="${id}" size="(\\d+)" family="([^"]+)"`).exec(page) ?? [];
  return { name, size: Number(size) };
};

/** One line for each picture in the file. */
export const picturesOfPdf = (pdf: Buffer): string[] => run('pdfimages', pdf, '-list', '-').trim().split('\n').slice(2);
