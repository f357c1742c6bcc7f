import { expect, test } from 'vitest';
import { reportDocument } from '#test/report-document.ts';
import type { ReportDocument } from '#reading/report-delivery/report-document.ts';
import { makePdf } from './make-pdf.ts';

const times = (count: number, html: string) => Array.from({ length: count }, () => html).join('');

/** The stored texts that need most work: as many elements and as deep as html-limits.ts allows. */
const costly: [string, string][] = [
  [
    'a table of 5,000 cells',
    `<table><tbody>${times(500, `<tr>${times(10, '<td><p>x</p></td>')}</tr>`)}</tbody></table>`,
  ],
  ['30 nested lists', `${times(30, '<ul><li>')}deep${times(30, '</li></ul>')}`],
  ['nested tables', `${times(12, '<table><tbody><tr><td>')}deep${times(12, '</td></tr></tbody></table>')}`],
  ['3,000 headings', times(3000, '<h2>x</h2>')],
  ['a word of 10,000 letters', `<p>${'x'.repeat(10_000)}</p>`],
  ['10,000 changes of format in one paragraph', `<p>${times(5000, '<strong>a</strong><em>b</em>')}</p>`],
];

test.each(costly)(
  'prints an expensive report or refuses it with a message, then prints the next report: %s',
  async (_, html) => {
    const ended = await makePdf(reportDocument(html)).catch((error: unknown) => error);
    const next = await makePdf(reportDocument('<p>Text</p>'));

    const isPdf = Buffer.isBuffer(ended) && ended.subarray(0, 5).toString() === '%PDF-';
    expect(isPdf || ended).toSatisfy(
      (one) => one === true || (one instanceof Error && /too complex for a PDF|took too long/.test(one.message)),
    );
    expect(next.subarray(0, 5).toString()).toBe('%PDF-');
  },
  60_000,
);

/** A second text that needs as much work as the first and is not in the cache. */
const costlyAgain = (words: string) => `<p>${words}</p>${costly[0]?.[1]}`;

test('a report that exceeds the time limit gets a message to retry, and the next report is printed', async () => {
  const refused = makePdf(reportDocument(costlyAgain('Refused')), 1);
  const next = makePdf(reportDocument('<p>Text</p>'));

  await expect(refused).rejects.toMatchObject({
    status: 503,
    error: 'report.printing_timeout',
    retryAfterSeconds: 5,
  });
  expect((await next).subarray(0, 5).toString()).toBe('%PDF-');
});

test('refuses a text larger than the limit for reports with a message', async () => {
  const words = `<p>${'word '.repeat(60_000)}</p>`;

  await expect(makePdf(reportDocument(words))).rejects.toMatchObject({ status: 422 });
  await expect(makePdf(reportDocument(`<p>${'x'.repeat(5_000_001)}</p>`))).rejects.toMatchObject({ status: 422 });
});

test('a server still answers other requests while it prints a report', async () => {
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
  return { ...document, organization: { ...document.organization, id } };
};

test('prints one report at a time for a busy tenant, without refusing other tenants', async () => {
  const order: string[] = [];
  const print = (id: number, words: string) => makePdf(ofTenant(id, words)).then(() => order.push(`${id} ${words}`));

  const many = Array.from({ length: 20 }, (_, index) => print(101, `${index}`));
  const other = print(102, 'other');
  await expect(makePdf(ofTenant(101, 'one too many'))).rejects.toMatchObject({ status: 429 });
  await Promise.all([...many, other]);

  expect(order.indexOf('102 other')).toBeLessThan(3);
});

test("callers without an account do not delay the printing of a tenant's users", async () => {
  const strangers = Array.from({ length: 12 }, (_, index) => makePdf(ofTenant(103, `link ${index}`, 'STRANGER')));
  let waiting = strangers.length;
  for (const stranger of strangers) void stranger.catch(() => {}).finally(() => (waiting -= 1));

  await makePdf(ofTenant(103, 'own'));
  const stillWaiting = waiting;
  const ended = await Promise.allSettled(strangers);

  expect(stillWaiting).toBeGreaterThan(0);
  expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
});

test('prints a report once, even for many simultaneous requests', async () => {
  const document = ofTenant(104, 'once');

  const all = await Promise.all(Array.from({ length: 10 }, () => makePdf(document)));

  expect(all.every((one) => one === all[0])).toBe(true);
});
