import { reportAddenda } from '@radwork/contract/reading/report-addenda';
import { reports } from '@radwork/contract/reading/reports';
import { reportLinks } from '@radwork/contract/reading/sharing';
import { expect, test } from 'vitest';
import { orNotFound } from '#core/http/problem.ts';
import { documentOf } from '#reading/report-delivery/report-document.ts';
import { presentedForm } from '#reading/report-delivery/fhir/presented-form.ts';
import { identitySteps } from '#test/identity-steps.ts';
import { hasPoppler, textOfPdf, unspaced } from '#test/poppler.ts';
import { signature } from '#test/report-steps.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const { mixed, decide } = identitySteps(world);

const content = '<p>No fracture.</p>';
const words = 'Identified by the wristband in the emergency room.';
const addendumWords = 'Asked for name and birth date at the bedside.';

/** A report on a study with an open identity question, and a function that signs the report. */
const reportInQuestion = async () => {
  const { admin, radiologist, study } = await mixed();
  await radiologist.inScope(({ db }) => db.updateTable('tenants').set({ is_review_required: false }).execute());
  const { data } = await radiologist.send(reports.create, { params: { id: study.id }, body: { content } });
  const sign = (identityStatement?: string) =>
    radiologist.send(reports.finalize, {
      params: { id: data.id },
      body: { content, signatureData: signature, ...(identityStatement !== undefined && { identityStatement }) },
    });
  return { admin, radiologist, study, id: data.id, sign };
};

const addendum = { kind: 'ADDENDUM' as const, content: '<p>Unchanged.</p>' };

/** Begins an addendum and returns a function that signs the addendum. */
const beginAddendum = async (author: Person, id: string) => {
  const { data } = await author.send(reportAddenda.begin, { params: { id }, body: addendum });
  const params = { id, addendumId: orNotFound(data.addendumDraft ?? undefined, 'addendum').id };
  return (identityStatement?: string) =>
    author.send(reportAddenda.sign, {
      params,
      body: {
        ...addendum,
        revision: 1,
        signatureData: signature,
        ...(identityStatement !== undefined && { identityStatement }),
      },
    });
};

/** A report and its addendum, each signed with a statement. */
const signedTwice = async () => {
  const { radiologist, id, sign, ...rest } = await reportInQuestion();
  await sign(words);
  await (
    await beginAddendum(radiologist, id)
  )(addendumWords);
  return { radiologist, id, ...rest };
};

test('before the decision, a signature requires a statement of how the patient was identified', async () => {
  const { admin, radiologist, id, sign } = await reportInQuestion();

  const [silent, short] = [await sign(), await sign('ok')];
  const stated = await sign(words);

  expect([silent.status, silent.error, short.status]).toEqual([409, 'identity.open', 422]);
  expect(stated.data).toMatchObject({ status: 'FINALIZED', identityStatement: words });

  const add = await beginAddendum(radiologist, id);
  const unstated = await add();
  const added = await add(words);

  expect([unstated.status, added.status]).toEqual([409, 200]);
  const entries = await admin.inScope(({ db }) =>
    db
      .selectFrom('audit_entries')
      .select(['action', 'detail'])
      .where('action', 'in', ['report.finalize', 'report.addend'])
      .orderBy('action')
      .execute(),
  );
  expect(entries).toMatchObject([
    { action: 'report.addend', detail: { statesIdentity: true } },
    { action: 'report.finalize', detail: { statesIdentity: true } },
  ]);
});

test('the API, the shared report and the FHIR page show the statement at each signature', async () => {
  const { radiologist, id } = await signedTwice();

  const { data: report } = await radiologist.send(reports.get, { params: { id } });
  const { data: link } = await radiologist.send(reportLinks.create, { params: { id }, body: {} });
  const shared = await world.request({ method: 'GET', url: `/api/portal/report/${link.linkHash}` });
  const document = await radiologist.inScope((scope) => documentOf(scope, id));
  const [page] = presentedForm(document, Buffer.alloc(0));

  const both = { identityStatement: words, addenda: [{ identityStatement: addendumWords }] };
  expect(report).toMatchObject(both);
  expect(shared.json().data).toMatchObject(both);
  const html = Buffer.from(page?.data ?? '', 'base64').toString();
  expect(html).toContain(`The signer stated: “${words}”`);
  expect(html).toContain(`The signer stated: “${addendumWords}”`);
});

test.runIf(hasPoppler)('the PDF shows the statement at each signature, for users and by share link', async () => {
  const { radiologist, id } = await signedTwice();
  const { data: link } = await radiologist.send(reportLinks.create, { params: { id }, body: {} });

  const inside = await radiologist.request({ method: 'GET', url: `/api/reports/${id}/pdf` });
  const shared = await world.request({
    method: 'POST',
    url: `/api/portal/report/${link.linkHash}/pdf`,
    payload: {},
  });

  const texts = [inside.rawPayload, Buffer.from(shared.json().data.pdf, 'base64')].map(textOfPdf);
  for (const statement of [words, addendumWords]) {
    const statementText = unspaced(`Signed before the identity was confirmed. The signer stated: “${statement}”`);
    expect(texts.map((text) => text.includes(statementText))).toEqual([true, true]);
  }
});

test('the statement remains at the signature after the decision, and a later addendum needs no statement', async () => {
  const { admin, radiologist, id } = await signedTwice();

  const decided = await decide(admin, 'ANOTHER_PERSON');
  const later = await (await beginAddendum(radiologist, id))();

  expect([decided.status, later.status]).toEqual([200, 200]);
  const { data } = await radiologist.send(reports.get, { params: { id } });
  expect(data).toMatchObject({
    identity: null,
    identityStatement: words,
    addenda: [{ identityStatement: addendumWords }, { identityStatement: '' }],
  });
});

test('refuses a statement with unprintable characters, for reports and addenda', async () => {
  const { radiologist, id, sign } = await reportInQuestion();
  const unprintable = `Wristband and voice ${String.fromCodePoint(0x13000)}`;

  const refused = await sign(unprintable);
  await sign(words);
  const refusedAddendum = await (await beginAddendum(radiologist, id))(unprintable);

  const expectedRefusal = {
    status: 422,
    errors: [{ field: 'identityStatement', message: expect.stringContaining('U+13000') }],
  };
  expect([refused, refusedAddendum]).toMatchObject([expectedRefusal, expectedRefusal]);
});
