import { reportLinks } from '@radwork/contract/reading/sharing';
import { studies } from '@radwork/contract/imaging/studies';
import { expect, test } from 'vitest';
import { orNotFound } from '#core/http/problem.ts';
import { storeAs } from '#test/archive-calls.ts';
import { findingSteps } from '#test/finding-steps.ts';
import { hasPoppler, textOfPdf } from '#test/poppler.ts';
import { beginReport, reportSteps, reportText } from '#test/report-steps.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld } from '#test/world.ts';

const world = await createWorld();
const { begin, finalize, tamperWith } = reportSteps(world);
const { add, communicate } = findingSteps(world);

const shared = async (body: object = {}) => {
  const author = await world.signIn();
  const { id } = await begin(author);
  await finalize(author, id);
  const { data } = await author.send(reportLinks.create, { params: { id }, body });
  return { author, id, hash: data.linkHash };
};

const pdfOf = (hash: string, body: object = {}) =>
  world.request({ method: 'POST', url: `/api/portal/report/${hash}/pdf`, payload: body });

const bytesOf = (answer: Awaited<ReturnType<typeof pdfOf>>) => Buffer.from(answer.json().data.pdf, 'base64');

test('a link returns the PDF of its report and logs the opening', async () => {
  const { author, id, hash } = await shared();

  const answer = await pdfOf(hash);

  expect(answer.json().data.fileName).toBe('report.pdf');
  expect(answer.headers).toMatchObject({
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex, nofollow, noarchive',
    'referrer-policy': 'no-referrer',
  });
  expect(bytesOf(answer).subarray(0, 5).toString()).toBe('%PDF-');
  const { data } = await author.send(reportLinks.opens, { params: { id } });
  expect(data.content.map(({ outcome }) => outcome)).toEqual(['OPENED']);
});

/** Shares a report of several pages, with many patient data and a communicated critical finding. */
const sharedOfKnown = async () => {
  const author = await world.signIn();
  await storeAs(
    author,
    image({
      PatientName: 'Doe^Jane',
      PatientID: 'MRN-4711',
      PatientBirthDate: '19610430',
      PatientSex: 'F',
      AccessionNumber: 'ACC-77',
      ReferringPhysicianName: 'Referrer^Ruth',
      StudyDescription: 'CT Thorax',
    }),
  );
  const study = orNotFound((await author.send(studies.list)).data.content[0], 'study');
  const { data: draft } = await beginReport(author, study.id);
  const finding = await add(author, draft.id);
  await communicate(author, finding.id, { recipientName: 'Nurse Nadia', method: 'PHONE' });
  await finalize(author, draft.id, { content: '<p>Text.</p>'.repeat(200) });
  const { data } = await author.send(reportLinks.create, { params: { id: draft.id }, body: {} });
  return { author, id: draft.id, hash: data.linkHash };
};

test.runIf(hasPoppler)(
  'the PDF of a link shows no more data of patient and recipients than the page of the link',
  async () => {
    const { author, id, hash } = await sharedOfKnown();

    const pdfResponse = await pdfOf(hash);
    const inside = await author.request({ method: 'GET', url: `/api/reports/${id}/pdf` });

    const withheld = ['MRN-4711', 'ACC-77', 'Referrer', 'Female', 'NurseNadia', 'Foundby', 'Accession'];
    const pdfText = textOfPdf(bytesOf(pdfResponse));
    expect(withheld.filter((words) => textOfPdf(inside.rawPayload).includes(words)).length).toBeGreaterThan(5);
    expect(withheld.filter((words) => pdfText.includes(words))).toEqual([]);
    expect(pdfText).not.toMatch(/told|reached/);
    expect(pdfText).toContain('Doe,Jane');
    expect(pdfText).toContain('Dateofbirth');
    expect(pdfText).toContain('1961-04-30');
    expect(pdfText).toContain('CTThorax');
    expect(pdfText).toContain('Tensionpneumothorax');
    expect(pdfResponse.json().data.fileName).toBe('report.pdf');
  },
);

test.runIf(hasPoppler)(
  'a report opened by link shows the patient identifier and the contact that the organization chose',
  async () => {
    const { author, hash } = await sharedOfKnown();
    await world.owner
      .updateTable('tenants')
      .set({ report_identifier: 'ACCESSION_NUMBER', report_contact: '+49 30 4711' })
      .where('id', '=', author.tenant.id)
      .execute();

    const page = await world.request({ method: 'GET', url: `/api/portal/report/${hash}` });
    const paper = textOfPdf(bytesOf(await pdfOf(hash)));

    expect(page.json().data).toMatchObject({
      contact: '+49 30 4711',
      patientIdentifier: { kind: 'ACCESSION_NUMBER', value: 'ACC-77' },
    });
    expect(paper).toContain('Accessionnumber');
    expect(paper).toContain('ACC-77');
    expect(paper).toContain('Questionsaboutthisreport:+49304711');
  },
);

test('the PDF of a link follows the rules of the page: code, number of openings, revocation', async () => {
  const [protectedLink, once, revoked] = [
    await shared({ passcode: 'marigold 77' }),
    await shared({ maxOpens: 1 }),
    await shared(),
  ];
  await revoked.author.send(reportLinks.revoke, { params: { id: revoked.id } });

  const answers = [
    await pdfOf(protectedLink.hash),
    await pdfOf(protectedLink.hash, { code: 'wrong' }),
    await pdfOf(protectedLink.hash, { code: 'marigold 77' }),
    await pdfOf(once.hash),
    await pdfOf(once.hash),
    await pdfOf(revoked.hash),
    await pdfOf('A'.repeat(43)),
  ];

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 401, 200, 200, 404, 404, 404]);
  expect(new Set(answers.slice(4).map((answer) => answer.json().message))).toEqual(new Set(['Report not found']));
});

test('a PDF that could not be made does not count as an opened link', async () => {
  const { author, id, hash } = await shared({ maxOpens: 1 });
  await tamperWith(id, '<p>a</p>'.repeat(25_000));
  const refused = await pdfOf(hash);
  const { data: link } = await author.send(reportLinks.get, { params: { id } });
  await tamperWith(id, reportText);

  const answer = await pdfOf(hash);

  expect([refused.statusCode, link?.openCount, answer.statusCode]).toEqual([422, 0, 200]);
  expect((await pdfOf(hash)).statusCode).toBe(404);
});
