import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fillHtml } from '@radwork/contract/reading/merge-fields';
import { templateHtml } from '@radwork/contract/reading/template-text';
import { templateForm } from '@radwork/contract/reading/templates';
import { expect, test } from 'vitest';
import { rebuildReportHtml } from '#reading/report-records/report-html.ts';
import { acceptTemplate } from './accept-template.ts';
import { readMrrt } from './mrrt.ts';

const payloadFile = resolve(import.meta.dirname, '../../../../../shared/security/xss.json');
const isThere = existsSync(payloadFile);
const known: { html: { id: string; html: string }[] } = isThere
  ? JSON.parse(readFileSync(payloadFile, 'utf8'))
  : { html: [] };

/** Our own attack texts, so that the test needs no other files. */
const ownPayloads = [
  '<p>a</p><script>window.__xss=1</script>',
  '<img src=x onerror=window.__xss=1>',
  '<svg><style><img src=x onerror=window.__xss=1></style></svg>',
  '<a href="jav&#x09;ascript:window.__xss=1">a</a>',
  '<p style="background:url(javascript:window.__xss=1)">a</p>',
  '<iframe srcdoc="<script>parent.__xss=1</script>"></iframe>',
  '<math><mtext><table><mglyph><style><img src=x onerror=window.__xss=1>',
  '<form action="javascript:window.__xss=1"><button>a</button></form>',
];

const payloads = [...ownPayloads, ...known.html.map(({ html }) => html)];

const withPayload = (html: string) =>
  templateForm.safeParse({
    name: html.slice(0, 100) || 'x',
    modality: 'CT',
    content: `<p>a</p>${html}`,
    sections: [{ name: html.slice(0, 60) || 'x', content: html }],
    normalFindings: [{ bodyPart: 'CHEST', content: html }],
  });

/** Returns the stored result. Undefined when the text is refused as too large or too complex. */
const unlessRefused = <T>(work: () => T): T | undefined => {
  try {
    return work();
  } catch (error) {
    expect(error).toMatchObject({ status: 422 });
    return undefined;
  }
};

const isRebuilt = (html: string): boolean => rebuildReportHtml(html).html === html;

test('no known attack passes into a template, its sections, its normal findings or the inserted text', () => {
  const through = payloads.filter((payload) => {
    const { data: form } = withPayload(payload);
    const accepted = form && unlessRefused(() => acceptTemplate(form));
    if (!accepted) return false;
    const parts = [accepted.content, ...accepted.sections.map(({ content }) => content)];
    const inserted = [false, true].map((normal) => fillHtml(templateHtml(accepted, { normal }), {}));
    return [...parts, ...inserted].some((html) => !isRebuilt(html));
  });

  expect(payloads.length).toBeGreaterThanOrEqual(ownPayloads.length);
  expect(through).toEqual([]);
});

test('no known attack passes through an imported template, wherever it is in the file', () => {
  const through = payloads.filter((payload) => {
    const file = `<!DOCTYPE html><html><head><title>x ${payload}</title></head><body>${payload}
      <section data-section-name="Findings"><p><label for="a">${payload}</label>
      <textarea id="a">${payload.replaceAll('<', '&lt;')}</textarea></p>${payload}</section></body></html>`;
    const read = unlessRefused(() => readMrrt(file));
    if (!read) return false;
    return [read.form.content, ...read.form.sections.map(({ content }) => content)].some((html) => !isRebuilt(html));
  });

  expect(through).toEqual([]);
});

test('names of patients, studies and orders become plain text in a report, never markup', () => {
  const inserted = payloads.map((payload) =>
    fillHtml('<p>{{patient.name}} {{study.clinicalHistory}}</p>', {
      'patient.name': payload.slice(0, 5000),
      'study.clinicalHistory': '{{patient.id}} & <b>',
    }),
  );

  expect(inserted.filter((html) => /<(?!\/?p>)/.test(html))).toEqual([]);
  expect(inserted.every((html) => html.includes('{{patient.id}} &amp; &lt;b&gt;'))).toBe(true);
});
