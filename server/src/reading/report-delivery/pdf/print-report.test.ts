import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { Problem } from '#core/http/problem.ts';
import {
  hasPoppler,
  lettersOf,
  pagesOf,
  paperOf,
  picturesOfPdf,
  textOfPdf,
  unspaced,
  wordBoxes,
} from '#test/poppler.ts';
import { reportDocument, signedPart } from '#test/report-document.ts';
import { rebuildReportHtml } from '#reading/report-records/report-html.ts';
import { pageOf } from './page-layout.ts';
import { printReport } from './print-report.ts';

const print = (content: string) => printReport(reportDocument(content));

/** Returns the words of the HTML that are not on the paper. */
const missingOn = (pdf: Buffer, html: string): string[] => {
  const paper = textOfPdf(pdf);
  const words = rebuildReportHtml(html.replaceAll(/<\/(p|h\d|td|th|li)>|<br>/g, ' $&')).text.split(/\s+/);
  return words.filter((word) => !paper.includes(unspaced(word.normalize('NFC'))));
};

const picture = async (type: 'png' | 'jpeg' | 'webp' | 'gif', width = 120, height = 80): Promise<string> => {
  const image = sharp({ create: { width, height, channels: 3, background: '#336699' } }).toFormat(type);
  return `data:image/${type};base64,${(await image.toBuffer()).toString('base64')}`;
};

const rowsOf = (count: number, cell: (row: number) => string) =>
  Array.from({ length: count }, (_, row) => `<tr>${cell(row + 1)}</tr>`).join('');

const lettersAcross = (page: string): string =>
  (page.match(/^[A-Z]{1,3}$/gm) ?? [])
    .filter((line) => line !== 'CT')
    .join('')
    .split('')
    .toSorted()
    .join('');

const everything = `
  <h1>CT chest</h1><h2>Findings</h2>
  <p>Größe 3,2 × 2,1 cm; <strong>αβγ</strong> <em>Ωμέγα</em> <u>Жизнь</u> <s>Łódź</s> naïve façade ế ≥5 ±2 → µ ℃</p>
  <p style="text-align: right">H<sub>2</sub>O and 10<sup>3</sup>, <mark style="background-color: #ffe08a">marked</mark>,
    <span style="color: #b3261e">coloured</span>, <a href="https://example.org/a?b=c">linked</a> 右肺上叶结节。</p>
  <ul><li><p>first</p><ul><li><p>nested one</p><ol start="4"><li><p>numbered four</p></li></ol></li></ul></li></ul>
  <ul data-type="taskList"><li data-type="taskItem" data-checked="true"><p>ticked</p></li>
    <li data-type="taskItem" data-checked="false"><p>unticked</p></li></ul>
  <blockquote><p>quoted words</p></blockquote><hr>
  <table><tbody><tr><th><p>Lesion</p></th><th colspan="2"><p>Two columns</p></th></tr>
    <tr><td rowspan="2" style="background-color: #bfe6c9"><p>spanning</p></td><td><p>a1</p></td><td><p>b1</p></td></tr>
    <tr><td><p>a2</p></td><td><p>b2</p><table><tbody><tr><td><p>inner cell</p></td></tr></tbody></table></td></tr>
  </tbody></table>
  <h2>Impression</h2><p>Stable.<br>Second line.</p>`;

test.each([
  [
    'a preliminary report',
    { status: 'DRAFT', preliminary: { number: 2, by: 'Rosa', at: '2026-11-20T13:05:00.000Z' } },
    'Radiology report (preliminary 2)',
    'PRELIMINARY 2',
  ],
  ['a draft', { status: 'DRAFT' }, 'Radiology report (draft)', 'DRAFT'],
  ['a signed report', {}, 'Radiology report', undefined],
] as const)('title and watermark of %s name its state', (_, state, title, watermark) => {
  const document = reportDocument('<p>x</p>', { ...state, ...('status' in state && { parts: [] }) });

  const page = pageOf({ document, parts: [], logo: undefined }) as {
    info: { title: string };
    watermark?: { text: string };
  };

  expect([page.info.title, page.watermark?.text]).toEqual([title, watermark]);
});

test.runIf(hasPoppler)(
  'prints every word of a report: lists, tables, ticks, Greek, Cyrillic, accents and Chinese',
  async () => {
    const pdf = await print(everything);

    expect(missingOn(pdf, everything)).toEqual([]);
  },
);

test.runIf(hasPoppler)(
  'prints a character without a font as a visible replacement, and prints the text around it',
  async () => {
    const pdf = await print('<p>before\u{1f600}after and e\u{301}te\u{301} \u{12000}</p>');

    const [page = ''] = pagesOf(pdf);
    expect(page).toContain('before\u{fffd}after');
    expect(page).toContain('été \u{fffd}');
  },
);

test.runIf(hasPoppler)('prints names and texts of every script, including right-to-left scripts', async () => {
  const samples = {
    Arabic: ['محمد^علي', 'لا يوجد انصباب جنبي'],
    Hebrew: ['לוי^שרה', 'ללא תפליט'],
    Devanagari: ['कमल^सोनम', 'हृदय का आकार'],
    Thai: ['สมชาย^ใจดี', 'ไม่พบน้ำ'],
    Korean: ['홍^길동', '흉막 삼출 없음'],
    Japanese: ['山田^太郎', 'カタカナ と ひらがな'],
    Chinese: ['陳^小明', '無胸腔積液'],
  };
  for (const [name = '', text = ''] of Object.values(samples)) {
    const document = reportDocument(`<p>${text}</p>`);
    const pdf = await printReport({ ...document, patient: { ...document.patient, name } });

    const paper = pagesOf(pdf).join('').normalize('NFKC');
    for (const word of [...name.split('^'), ...text.split(' ')]) {
      expect(lettersOnly(paper)).toContain(lettersOnly(word));
    }
    expect(paper).not.toContain('\u{fffd}');
  }
});

/** Returns only letters, because PDF readers order marks and spaces differently. */
const lettersOnly = (text: string): string => text.normalize('NFKC').replaceAll(/[^\p{L}]/gu, '');

test.runIf(hasPoppler)('prints a number after an Arabic name in the right order on each page', async () => {
  const document = reportDocument(`<p>${'words '.repeat(2000)}</p>`);
  const pdf = await printReport({ ...document, patient: { ...document.patient, name: 'محمد' } });

  const heads = wordBoxes(pdf).filter(({ top }) => top < 40);
  const number = heads.find(({ word }) => word === 'P-1001');
  const name = heads.find(({ word }) => /[\u0600-\u06ff\ufb50-\ufeff]/.test(word));
  expect(number?.left).toBeGreaterThan(name?.right ?? Number.POSITIVE_INFINITY);
});

test('prints the same signed report to the same file, byte for byte', async () => {
  const [one, other] = [await print(everything), await print(everything)];

  expect(one.equals(other)).toBe(true);
  expect(one.subarray(0, 8).toString()).toBe('%PDF-1.7');
});

test.runIf(hasPoppler)('a printed report is on A4 with margins of 2 cm, in 12-point letters like Times', async () => {
  const pdf = await print(`<p>Größe ${'many words of a report '.repeat(400)}</p>`);

  expect(paperOf(pdf)).toMatch(/^595\.28 x 841\.89 pts \(A4\)$/);
  // Tinos has the shapes and widths of Times New Roman.
  expect(lettersOf(pdf, 'Größe')).toEqual({ name: expect.stringMatching(/Tinos/), size: 12 });
  // 2 cm are 56.7 points. In the margins are only the head of the page and, on the right, the page number.
  const boxes = wordBoxes(pdf).filter(({ top, bottom }) => top > 40 && bottom < 795);
  const edges = {
    left: Math.min(...boxes.map(({ left }) => left)),
    right: 595.28 - Math.max(...boxes.map(({ right }) => right)),
    top: Math.min(...boxes.map(({ top }) => top)),
    bottom: 841.89 - Math.max(...boxes.map(({ bottom }) => bottom)),
  };
  expect(edges.left).toBeCloseTo(56.7, 0);
  for (const edge of [edges.right, edges.top, edges.bottom]) {
    expect(edge).toBeGreaterThan(54);
    expect(edge).toBeLessThan(90);
  }
});

test.runIf(hasPoppler)(
  'the first page shows organization, patient and study; further pages show patient and page number',
  async () => {
    const organization = {
      ...reportDocument('').organization,
      letterhead: 'Elm Street Radiology\n12 Elm Street',
      footer: 'HRB 4711',
      logo: await picture('png'),
    };
    const content = '<p>Many words to fill the page with.</p>'.repeat(70);

    const pdf = await printReport(reportDocument(content, { organization }));

    const pages = pagesOf(pdf);
    expect(pages).toHaveLength(3);
    expect(picturesOfPdf(pdf)).toHaveLength(1);
    expect(pages[0]).toMatch(/Elm Street Radiology[^]*Doe, Jane[^]*P-1001[^]*Page 1 of 3[^]*HRB 4711/);
    for (const [index, page] of pages.entries()) expect(page).toContain(`Page ${index + 1} of 3`);
    const head = 'Doe, Jane · P-1001 · 1961-04-30 · ACC-2026-17 · 2026-11-20 09:30 · CT chest with contrast';
    expect(pages.slice(1).every((page) => page.includes(head))).toBe(true);
  },
);

test.runIf(hasPoppler)('repeats the head of a long table on each page and omits no row', async () => {
  const html = `<table><tbody><tr><th><p>Lesion</p></th><th><p>Size</p></th></tr>${rowsOf(90, (row) => `<td><p>row-${row}</p></td><td><p>${row} mm</p></td>`)}</tbody></table>`;

  const pdf = await print(html);

  const pages = pagesOf(pdf);
  expect(pages.length).toBeGreaterThan(2);
  expect(pages.filter((page) => /row-\d/.test(page)).every((page) => page.includes('Lesion'))).toBe(true);
  expect(missingOn(pdf, html)).toEqual([]);
});

test.runIf(hasPoppler)(
  'a heading is on the same page as the next block, and a short paragraph is not divided',
  async () => {
    const fillers = Array.from({ length: 6 }, (_, index) => 24 + index);
    // Short blocks stay on one page. A table keeps its head with the first row, a long paragraph its first lines.
    const following = [
      [`<p>FIRST ${'word '.repeat(40)} LAST</p>`, 'LAST'],
      [`<p>FIRST ${'word '.repeat(18)} SECOND ${'word '.repeat(200)}</p>`, 'SECOND'],
      [
        `<table><tbody><tr><th><p>FIRST</p></th></tr>${rowsOf(9, (row) => `<td><p>row-${row}</p></td>`)}</tbody></table>`,
        'row-1',
      ],
      [`<ul><li><p>FIRST</p></li><li><p>another</p></li></ul>`, 'FIRST'],
    ] as const;

    const parted: string[] = [];
    for (const lines of fillers) {
      const filling = '<p>Filling line.</p>'.repeat(lines);
      for (const [follows, last] of following) {
        const pages = pagesOf(await print(`${filling}<h2>Impression</h2>${follows}`));
        const page = pages.find((text) => text.includes('Impression')) ?? '';
        if (!page.includes('FIRST') || !page.includes(last)) parted.push(`${lines} lines, ${last}`);
      }
    }

    expect(parted).toEqual([]);
  },
);

test.runIf(hasPoppler)('a signature is on the page where a short text ends', async () => {
  const alone: number[] = [];
  for (const lines of Array.from({ length: 8 }, (_, index) => 24 + index)) {
    const pages = pagesOf(await print(`${'<p>Filling line.</p>'.repeat(lines)}<p>The last words</p>`));
    if (!pages.find((page) => page.includes('Signed by'))?.includes('The last words')) alone.push(lines);
  }

  expect(alone).toEqual([]);
});

test.runIf(hasPoppler)('a table row higher than a page continues on the next pages', async () => {
  const words = Array.from({ length: 2500 }, (_, index) => `w${index}`).join(' ');
  const html = `<table><tbody><tr><th><p>${words}</p></th></tr><tr><td rowspan="2"><p>${words.replaceAll('w', 'v')}</p></td><td><p>x</p></td></tr><tr><td><p>y</p></td></tr></tbody></table>`;

  expect(missingOn(await print(html), html)).toEqual([]);
});

test.runIf(hasPoppler)('very long words and tables with many columns do not extend beyond the page', async () => {
  const columns = (count: number) =>
    `<table><tbody>${rowsOf(3, () => Array.from({ length: count }, (_, index) => `<td><p>Column${index}</p></td>`).join(''))}</tbody></table>`;
  const html = `<p>${'x'.repeat(400)}</p><p>https://example.org/${'path/'.repeat(60)}</p>${[5, 8, 12, 20, 40].map(columns).join('')}
    <ul><li><p>${'W'.repeat(200)}</p></li></ul>`;

  const pdf = await print(html);

  expect(wordBoxes(pdf).filter(({ left, right }) => left < 56 || right > 540)).toEqual([]);
  expect(missingOn(pdf, html)).toEqual([]);
});

test.runIf(hasPoppler)(
  'marks each page of an unsigned report as unsigned, and no page of a signed report',
  async () => {
    const content = '<p>Text.</p>'.repeat(60);

    const draft = pagesOf(await printReport(reportDocument(content, { status: 'PENDING_REVIEW', parts: [] })));
    const final = pagesOf(await print(content)).join('');

    expect(draft).toHaveLength(2);
    expect(draft.map((page) => page.includes('Pending Review: not a signed report'))).toEqual([true, true]);
    // The watermark is printed diagonally, so its letters are sorted before they are compared.
    expect(draft.map(lettersAcross)).toEqual(draft.map(() => 'PENDINGREVIEW'.split('').toSorted().join('')));
    expect(draft.join('')).not.toContain('Signed by');
    expect(final).not.toMatch(/not a signed report|FINALIZED/);
  },
);

test.runIf(hasPoppler)(
  'each signed part shows signer, time, statement and SHA-256, and a correction shows the replaced passage',
  async () => {
    const text = signedPart('<p>Right lung is clear.</p>', { signatureData: await picture('png') });
    const correction = signedPart('<p>Left lung is clear.</p>', {
      number: 1,
      kind: 'CORRECTION',
      passage: 'Right lung',
      corrects: 0,
      finalizedAt: '2026-11-21T23:30:00.000Z',
      finalizedBy: { id: 'x', username: 'mona', name: 'Mona Haddad', credentials: 'MD, FACR' },
    });

    const pdf = await printReport(reportDocument('', { parts: [text, correction] }));

    const paper = pagesOf(pdf).join('');
    expect(paper).toContain('AMENDED');
    expect(paper).toContain('Signed by Dr. Rosa Lindqvist, 2026-11-20 14:05 (Europe/Berlin)');
    expect(paper).toContain('Signed by Mona Haddad, MD, FACR, 2026-11-22 00:30 (Europe/Berlin)');
    expect(paper).toMatch(/Correction 1 of the report[^]*Right lung[^]*Left lung is clear\.[^]*2026-11-22 00:30/);
    expect(paper.match(/I confirm that this report is complete and accurate/g)).toHaveLength(2);
    expect(textOfPdf(pdf)).toContain(text.contentHash);
    expect(picturesOfPdf(pdf)).toHaveLength(1);
  },
);

test.runIf(hasPoppler)('marks a text that no longer matches its signed hash', async () => {
  const parts = [signedPart('<p>Text</p>', { isUnchanged: false })];

  expect(textOfPdf(await printReport(reportDocument('', { parts })))).toContain('Itdoesnotmatch');
});

test.runIf(hasPoppler)('prints critical findings before the text, with their communications', async () => {
  const communication = { method: 'PHONE', at: '2026-11-20T13:10:00Z', by: 'Dr. Rosa' } as const;
  const findings = [
    {
      severity: 'CRITICAL' as const,
      finding: 'Tension pneumothorax',
      at: '2026-11-20T13:00:00Z',
      by: 'Dr. Rosa',
      communications: [
        { ...communication, recipient: 'Dr. Away', wasReached: false, hasReadBack: false },
        { ...communication, recipient: 'Dr. Smith', wasReached: true, hasReadBack: true },
      ],
    },
  ];

  const uncommunicated = { ...findings[0], finding: 'Free air', communications: [] } as const;
  const criticalFindingsDetails = 'Call the ward';

  const document = reportDocument('<p>The text</p>', {
    criticalFindingsDetails,
    findings: [
      ...findings,
      { ...uncommunicated, severity: 'URGENT', at: '2026-11-20T13:00:00Z', by: 'Dr. Rosa', communications: [] },
    ],
  });
  const [page = ''] = pagesOf(await printReport(document));

  expect(page).toMatch(
    /Call the ward[^]*within minutes\. Tension pneumothorax[^]*Could not reach Dr\. Away[^]*Communicated to Dr\. Smith with read-back[^]*within hours\. Free air[^]*Not communicated yet[^]*The text/,
  );
});

test.runIf(hasPoppler)('prints PNG, JPEG, WebP and GIF images, and names an image that cannot be read', async () => {
  const sources = await Promise.all((['png', 'jpeg', 'webp', 'gif'] as const).map((type) => picture(type)));
  const broken = `data:image/png;base64,${Buffer.from('89504e470d0a1a0affff', 'hex').toString('base64')}`;
  const html = `${sources.map((source) => `<img src="${source}" alt="fine">`).join('')}<img src="${broken}" alt="Apical view">`;

  const pdf = await print(html);

  // Equal pixels become a single image, even if their formats differ.
  expect(picturesOfPdf(pdf).length).toBeGreaterThanOrEqual(2);
  expect(pagesOf(pdf).join('').replaceAll('\n', ' ')).toContain('[Image not available: Apical view]');
});

const payloadFile = resolve(import.meta.dirname, '../../../../../../shared/security/xss.json');

test.runIf(existsSync(payloadFile))(
  'no known HTML attack runs or loads anything in a PDF (xss.json)',
  async () => {
    const { html } = z
      .object({ html: z.array(z.object({ id: z.string(), html: z.string() })) })
      .parse(JSON.parse(await readFile(payloadFile, 'utf8')));

    const alive: string[] = [];
    for (const { id, html: payload } of html) {
      // An attack text that overloads the parser is already refused as a report.
      const pdf = await print(payload).catch((error: unknown) => error);
      const isInert = Buffer.isBuffer(pdf)
        ? !/\/JavaScript|\/JS |\/Launch|\/EmbeddedFile|\/URI \((?!https?:|mailto:|tel:)/.test(pdf.toString('latin1'))
        : pdf instanceof Problem;
      if (!isInert) alive.push(id);
    }

    expect(html.length).toBeGreaterThan(20);
    expect(alive).toEqual([]);
  },
  60_000,
);

test.runIf(hasPoppler)('hostile HTML loads, runs and links nothing in a PDF', async () => {
  const html = `<script>alert(1)</script><p onclick="alert(2)">kept <a href="javascript:alert(3)">words</a></p>
    <img src="file:///etc/passwd"><img src="http://169.254.169.254/latest"><img src="data:text/html,<script>alert(4)</script>">
    <iframe src="https://example.org"></iframe><svg onload="alert(5)"><text>svg</text></svg>
    <p style="background: url(https://example.org/a.png)">styled</p><a href="data:text/html,x">data</a>`;

  const pdf = await print(html);

  const file = pdf.toString('latin1');
  expect(textOfPdf(pdf)).toContain('keptwords');
  // Content that is not report text is not printed.
  expect(textOfPdf(pdf)).not.toContain('alert');
  expect(file).not.toMatch(/\/JavaScript|\/JS |\/Launch|\/URI|\/EmbeddedFile|passwd|169\.254/);
  expect(picturesOfPdf(pdf)).toEqual([]);
});

test.runIf(hasPoppler)('names patient and study on each further page, even if the description is long', async () => {
  const { patient, study } = reportDocument('');
  const document = reportDocument('<p>Further down.</p>'.repeat(60), {
    patient: { ...patient, name: `${'Featherstonehaugh '.repeat(3).trim()}^Wilhelmina` },
    study: { ...study, description: 'Computed tomography of the chest, the abdomen and the pelvis. '.repeat(15) },
  });

  const [, second = ''] = pagesOf(await printReport(document));

  expect(second.replaceAll(/\s+/g, ' ')).toContain(
    'Wilhelmina · P-1001 · 1961-04-30 · ACC-2026-17 · 2026-11-20 09:30 ·',
  );
});

test.runIf(hasPoppler)('prints a nested table cell by cell if its columns do not fit', async () => {
  const cells = () => '<td><p>lesion §</p></td>'.repeat(20);
  const inner = `<table><tbody>${rowsOf(3, cells)}</tbody></table>`;
  const outer = `<td><p>${'x'.repeat(100)}</p></td>`.repeat(5);

  const pdf = await print(`<table><tbody><tr>${outer}<td>${inner}</td></tr></tbody></table>`);

  expect(textOfPdf(pdf).match(/§/g)).toHaveLength(60);
});
