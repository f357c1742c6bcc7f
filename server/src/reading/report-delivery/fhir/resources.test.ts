import { readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Bundle, DiagnosticReport, FhirResource, ImagingStudy, Patient } from 'fhir/r4';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { orNotFound } from '#core/http/problem.ts';
import { rebuildReportHtml } from '#reading/report-records/report-html.ts';
import { faultsOf } from '#test/fhir-server.ts';
import { reportDocument, signedPart } from '#test/report-document.ts';
import type { ReportDocument } from '#reading/report-delivery/report-document.ts';
import { transactionOf } from './transaction.ts';

const series = [
  { uid: '1.2.3.1', number: 1, modality: 'CT', description: 'Axial', instances: 200 },
  { uid: '1.2.3.2', number: null, modality: 'SR', description: '', instances: 1 },
];
const pdf = Buffer.from('%PDF-1.7 a report');

const bundleOf = (document: ReportDocument): Bundle<FhirResource> => transactionOf({ document, series, pdf });

const resourcesIn = ({ entry = [] }: Bundle<FhirResource>): FhirResource[] =>
  entry.flatMap(({ resource }) => resource ?? []);

const isReport = (resource: FhirResource): resource is DiagnosticReport => resource.resourceType === 'DiagnosticReport';
const isStudy = (resource: FhirResource): resource is ImagingStudy => resource.resourceType === 'ImagingStudy';
const isPatient = (resource: FhirResource): resource is Patient => resource.resourceType === 'Patient';

const reportIn = (document: ReportDocument): DiagnosticReport =>
  orNotFound(resourcesIn(bundleOf(document)).find(isReport), 'report');

const addendum = (number: number) =>
  signedPart('<p>Compared with the CT of May.</p>', {
    number,
    kind: 'ADDENDUM',
    finalizedAt: '2026-11-21T08:00:00.000Z',
  });
const correction = (number: number) =>
  signedPart('<p>left</p>', { number, kind: 'CORRECTION', passage: 'right', corrects: 0 });

const text =
  '<h2>Findings</h2><p>Nodule in the right upper lobe.</p><h2>Impression</h2><p>Follow up in 3 months.</p><ul><li><p>No effusion.</p></li></ul>';

const bare: ReportDocument = reportDocument('<p>x</p>', {
  patient: { ...reportDocument('').patient, name: '', sex: 'U', birthDate: null, issuer: 'Clinic & Sons|A' },
  study: {
    ...reportDocument('').study,
    accessionNumber: '',
    description: '',
    dateTime: null,
    modalities: [],
    modality: '',
    referringPhysician: '',
  },
});

const variants: [string, ReportDocument][] = [
  ['final', reportDocument(text)],
  ['appended', reportDocument(text, { parts: [signedPart(text), addendum(1)] })],
  ['amended', reportDocument(text, { parts: [signedPart(text), addendum(1), correction(2)] })],
  ['with few study data', bare],
  [
    'with a reviewer, an order and Chinese names',
    reportDocument(text, {
      reviewer: { id: '01890000-0000-7000-8000-000000000009', username: 'li', name: '李医生' },
      patient: { ...reportDocument('').patient, name: 'Wang^XiaoDong=王^小东=' },
      study: { ...reportDocument('').study, orderNumber: 'ORD-1', timezoneOffset: '+0530' },
    }),
  ],
];

test.each(variants)('every FHIR resource of a report is valid by the official R4 definitions: %s', (_, document) => {
  const resources = resourcesIn(bundleOf(document));

  expect(resources.map(({ resourceType }) => resourceType)).toEqual(
    expect.arrayContaining(['Patient', 'Practitioner', 'ServiceRequest', 'ImagingStudy', 'DiagnosticReport']),
  );
  expect(resources.flatMap((resource) => faultsOf(resource))).toEqual([]);
});

test.each([
  ['an unknown status', { status: 'signed' }],
  ['a missing code', { code: undefined }],
  ['an unknown property', { author: 'x' }],
  ['a time without a zone', { issued: '2026-11-20T13:05:00' }],
])('the official R4 definitions detect faulty resources: %s', (_, change) => {
  const faulty: DiagnosticReport = JSON.parse(JSON.stringify({ ...reportIn(reportDocument(text)), ...change }));

  expect(faultsOf(faulty)).not.toEqual([]);
});

test('a draft or preliminary report gets no FHIR status', () => {
  const preliminary = { number: 1, by: 'Rosa', at: '2026-11-20T13:05:00.000Z' };

  for (const document of [{ preliminary }, {}]) {
    const unsigned = reportDocument(text, { status: 'DRAFT', parts: [], ...document });
    expect(() => bundleOf(unsigned)).toThrow(new RangeError('Only a signed report is sent'));
  }
});

test('the HTML of a report names an important change from its preliminary report', () => {
  const htmlOf = (preliminaryChange: string) =>
    Buffer.from(
      reportIn(reportDocument(text, { preliminaryChange })).presentedForm?.[0]?.data ?? '',
      'base64',
    ).toString();

  expect(htmlOf('Embolism <found>')).toContain(
    '<p>Important change from the preliminary report: Embolism &#60;found&#62;</p>',
  );
  expect(htmlOf('')).not.toContain('preliminary');
});

test('the FHIR status of a report is final, appended by an addendum, amended by a correction (C37)', () => {
  const statusOf = (...parts: ReportDocument['parts']) =>
    reportIn(reportDocument(text, { parts: [signedPart(text), ...parts] })).status;

  expect(statusOf()).toBe('final');
  expect(statusOf(addendum(1))).toBe('appended');
  expect(statusOf(addendum(1), correction(2))).toBe('amended');
  expect(statusOf(correction(1), addendum(2))).toBe('amended');
});

test('the FHIR conclusion is the impression, or the whole text if there is no impression, and all later parts', () => {
  const conclusion = (html: string, ...later: ReportDocument['parts']) =>
    reportIn(reportDocument(html, { parts: [signedPart(html), ...later] })).conclusion;

  expect(conclusion(text)).toBe('Follow up in 3 months.\nNo effusion.');
  expect(conclusion('<p><strong>IMPRESSION:</strong> Clear.</p><p>Second.</p>')).toBe('Clear.\nSecond.');
  expect(conclusion('<h2>Beurteilung</h2><p>Kein Erguss.</p><h2>Empfehlung</h2><p>Kontrolle</p>')).toBe('Kein Erguss.');
  expect(conclusion('<p>Clear lungs.</p><table><tbody><tr><td><p>a</p></td></tr></tbody></table>')).toBe(
    'Clear lungs.\na',
  );
  expect(conclusion(text, correction(1), addendum(2))).toBe(
    'Follow up in 3 months.\nNo effusion.\n\nCorrection 1 of the report (replaces "right"): left\n\nAddendum 2: Compared with the CT of May.',
  );
});

test('attaches the whole report as HTML and PDF, with its addenda', () => {
  const { presentedForm = [] } = reportIn(reportDocument(text, { parts: [signedPart(text), addendum(1)] }));

  const [page, paper] = presentedForm.map(({ data }) => Buffer.from(data ?? '', 'base64'));
  expect(presentedForm.map(({ contentType }) => contentType)).toEqual(['text/html', 'application/pdf']);
  expect(page?.toString()).toMatch(/Nodule in the right upper lobe[^]*Addendum 1[^]*Compared with the CT of May/);
  expect(paper).toEqual(pdf);
});

test('FHIR times have the UTC offset of the scanner, or that of the tenant if the scanner gives none', () => {
  const startOf = (dateTime: string, timezoneOffset: string) => {
    const study = { ...reportDocument('').study, dateTime, timezoneOffset };
    return resourcesIn(bundleOf(reportDocument(text, { study }))).find(isStudy)?.started;
  };

  expect(startOf('2026-11-20T09:30:00', '')).toBe('2026-11-20T09:30:00+01:00');
  expect(startOf('2026-07-20T09:30:00', '')).toBe('2026-07-20T09:30:00+02:00');
  expect(startOf('2026-07-20T09:30:00', '-0330')).toBe('2026-07-20T09:30:00-03:30');
});

test('FHIR identifiers of patients differ between organizations, even with the same Patient IDs', () => {
  const identifierOf = (document: ReportDocument) => {
    const [identifier] = resourcesIn(bundleOf(document)).find(isPatient)?.identifier ?? [];
    return `${identifier?.system} ${identifier?.value}`;
  };
  const { organization, patient } = reportDocument('');
  const elsewhere = { ...organization, identifierRoot: '01890000-0000-4000-8000-00000000000f' };

  const identifiers = [
    reportDocument(text),
    reportDocument(text, { organization: elsewhere }),
    reportDocument(text, { patient: { ...patient, issuer: 'Another clinic' } }),
    reportDocument(text, { patient: { ...patient, patientId: 'P-1002' } }),
  ].map(identifierOf);

  expect(new Set(identifiers).size).toBe(4);
  expect(identifierOf(reportDocument('<p>Other text</p>'))).toBe(identifiers[0]);
});

test('a search for an identifier with special characters matches no other identifier', () => {
  const patient = { ...reportDocument('').patient, patientId: 'A|B,C$D\\E&F' };

  const [entry] = bundleOf(reportDocument(text, { patient })).entry ?? [];

  const query = new URLSearchParams(entry?.request?.ifNoneExist);
  expect([...query.keys()]).toEqual(['identifier']);
  expect(query.get('identifier')).toMatch(/^urn:oid:2\.25\.\d+\|A\\\|B\\,C\\\$D\\\\E&F$/);
});

const payloadFile = resolve(import.meta.dirname, '../../../../../../shared/security/xss.json');

test.runIf(existsSync(payloadFile))('no known attack reaches a FHIR resource as a script (xss.json)', async () => {
  const { html } = z
    .object({ html: z.array(z.object({ id: z.string(), class: z.string(), html: z.string() })) })
    .parse(JSON.parse(await readFile(payloadFile, 'utf8')));

  const fired = html
    .filter((one) => !isRefused(one.html))
    .flatMap(({ id, html: payload }) => {
      const name = `<img src=x onerror=alert(1)>${payload.slice(0, 200)}`;
      const finalizedBy = {
        id: '01890000-0000-7000-8000-00000000000a',
        username: 'x',
        name,
        credentials: payload.slice(0, 60),
      };
      const parts = [signedPart(payload, { finalizedBy }), { ...correction(1), passage: payload, content: payload }];
      const report = reportIn(reportDocument(payload, { parts }));
      const page = Buffer.from(report.presentedForm?.[0]?.data ?? '', 'base64').toString();
      return [page, report.text?.div ?? ''].some(holdsProgram) ? [id] : [];
    });

  expect(html.length).toBeGreaterThan(20);
  expect(fired).toEqual([]);
});

/** An attack text that overloads the parser is already refused as a report. */
const isRefused = (payload: string): boolean => {
  try {
    rebuildReportHtml(payload);
    return false;
  } catch {
    return true;
  }
};

/** Returns whether a page contains an element, attribute or URL that runs code. */
const holdsProgram = (page: string): boolean =>
  /<(script|iframe|object|embed|svg|math|style|link|meta(?! charset="utf-8">)|base|form|template)\b/i.test(page) ||
  /<[a-z][^>]*\s(on\w+|srcdoc|formaction)\s*=/i.test(page) ||
  /\s(href|src)="\s*(javascript|vbscript|data:text)/i.test(page);
