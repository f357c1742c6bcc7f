import { expect, test } from 'vitest';
import { reportDocument } from '#test/report-document.ts';
import { makePdf } from './make-pdf.ts';

const times = (count: number, html: string) => Array.from({ length: count }, () => html).join('');

/** What a stored text could at worst be: as many elements, as deep, as html-limits.ts lets in. */
const costly: [string, string][] = [
  [
    'a table of 5,000 cells',
    `<table><tbody>${times(500, `<tr>${times(10, '<td><p>x</p></td>')}</tr>`)}</tbody></table>`,
  ],
  ['60 lists in each other', `${times(30, '<ul><li>')}deep${times(30, '</li></ul>')}`],
  ['tables in tables', `${times(12, '<table><tbody><tr><td>')}deep${times(12, '</td></tr></tbody></table>')}`],
  ['3,000 headings', times(3000, '<h2>x</h2>')],
  ['a word of 10,000 letters', `<p>${'x'.repeat(10_000)}</p>`],
  ['10,000 looks in one paragraph', `<p>${times(5000, '<strong>a</strong><em>b</em>')}</p>`],
];

test.each(costly)(
  'a report that is made to be costly is printed or refused in words, and the next one is printed: %s',
  async (_, html) => {
    const ended = await makePdf(reportDocument(html)).catch((error: unknown) => error);
    const next = await makePdf(reportDocument('<p>Text</p>'));

    const isPdf = Buffer.isBuffer(ended) && ended.subarray(0, 5).toString() === '%PDF-';
    expect(isPdf || ended).toSatisfy(
      (one) => one === true || (one instanceof Error && /too complex for paper/.test(one.message)),
    );
    expect(next.subarray(0, 5).toString()).toBe('%PDF-');
  },
  60_000,
);

test('a report that takes longer than it may is refused in words, and the next one is printed', async () => {
  const [, html = ''] = costly[0] ?? [];

  const refused = makePdf(reportDocument(html), 1);
  const next = makePdf(reportDocument('<p>Text</p>'));

  await expect(refused).rejects.toMatchObject({
    status: 422,
    message: expect.stringContaining('too complex for paper'),
  });
  expect((await next).subarray(0, 5).toString()).toBe('%PDF-');
});

test('a text larger than a report can be is refused in words', async () => {
  const words = `<p>${'word '.repeat(60_000)}</p>`;

  await expect(makePdf(reportDocument(words))).rejects.toMatchObject({ status: 422 });
  await expect(makePdf(reportDocument(`<p>${'x'.repeat(5_000_001)}</p>`))).rejects.toMatchObject({ status: 422 });
});

test('a server that prints goes on answering', async () => {
  const [, html = ''] = costly[0] ?? [];
  let turns = 0;
  const turning = setInterval(() => {
    turns += 1;
  }, 1);

  await makePdf(reportDocument(html));
  clearInterval(turning);

  expect(turns).toBeGreaterThan(20);
});
