import { expect, test } from 'vitest';
import { reportDocument } from '#test/report-document.ts';
import type { ReportDocument } from '../report-document.ts';
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
      (one) => one === true || (one instanceof Error && /too complex for paper|took too long/.test(one.message)),
    );
    expect(next.subarray(0, 5).toString()).toBe('%PDF-');
  },
  60_000,
);

/** As costly as the first, and not printed before. */
const costlyAgain = (words: string) => `<p>${words}</p>${costly[0]?.[1]}`;

test('a report that takes longer than it may is to be asked for again, and the next one is printed', async () => {
  const refused = makePdf(reportDocument(costlyAgain('Refused')), 1);
  const next = makePdf(reportDocument('<p>Text</p>'));

  await expect(refused).rejects.toMatchObject({
    status: 503,
    error: 'report.printing_timeout',
    retryAfterSeconds: 5,
  });
  expect((await next).subarray(0, 5).toString()).toBe('%PDF-');
});

test('a text larger than a report can be is refused in words', async () => {
  const words = `<p>${'word '.repeat(60_000)}</p>`;

  await expect(makePdf(reportDocument(words))).rejects.toMatchObject({ status: 422 });
  await expect(makePdf(reportDocument(`<p>${'x'.repeat(5_000_001)}</p>`))).rejects.toMatchObject({ status: 422 });
});

test('a server that prints goes on answering', async () => {
  let turns = 0;
  const turning = setInterval(() => {
    turns += 1;
  }, 1);

  await makePdf(reportDocument(costlyAgain('Printed')));
  clearInterval(turning);

  expect(turns).toBeGreaterThan(20);
});

const ofTenant = (id: number, words: string, reader: ReportDocument['reader'] = 'COLLEAGUE') => {
  const document = reportDocument(`<p>${words}</p>`, { reader });
  return { ...document, organisation: { ...document.organisation, id } };
};

test('of a tenant that has many reports printed one is printed in each turn, and others are not refused for it', async () => {
  const order: string[] = [];
  const print = (id: number, words: string) => makePdf(ofTenant(id, words)).then(() => order.push(`${id} ${words}`));

  const many = Array.from({ length: 20 }, (_, index) => print(101, `${index}`));
  const other = print(102, 'other');
  await expect(makePdf(ofTenant(101, 'one too many'))).rejects.toMatchObject({ status: 429 });
  await Promise.all([...many, other]);

  expect(order.indexOf('102 other')).toBeLessThan(3);
});

test('those without an account take few of a tenant’s turns, and its people are not refused for them', async () => {
  const strangers = Array.from({ length: 12 }, (_, index) => makePdf(ofTenant(103, `link ${index}`, 'STRANGER')));
  let waiting = strangers.length;
  for (const stranger of strangers) void stranger.catch(() => {}).finally(() => (waiting -= 1));

  await makePdf(ofTenant(103, 'own'));
  const stillWaiting = waiting;
  const ended = await Promise.allSettled(strangers);

  expect(stillWaiting).toBeGreaterThan(0);
  expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
});

test('the same report is printed once, however often it is asked for', async () => {
  const document = ofTenant(104, 'once');

  const all = await Promise.all(Array.from({ length: 10 }, () => makePdf(document)));

  expect(all.every((one) => one === all[0])).toBe(true);
});
