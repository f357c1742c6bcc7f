import { drafting, draftingEvent, openPassagesIn, passageAttribute } from '@radwork/contract/reading/drafting';
import { reportingSettings } from '@radwork/contract/reading/reporting-settings';
import { reportAddenda } from '@radwork/contract/reading/report-addenda';
import { studies } from '@radwork/contract/imaging/studies';
import { expect, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { storeAs } from '#test/archive-calls.ts';
import { eventually } from '#test/eventually.ts';
import { detailsOf, jane, janet, merge, move, undo } from '#test/merge-steps.ts';
import { type ModelFault, startModelServer, type Wire } from '#test/model-server.ts';
import { beginReport, reportSteps } from '#test/report-steps.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';
import { hashOfText } from './passages.ts';

const world = await createWorld({
  REMOTE_ALLOW: 'net=127.0.0.1 ports=1024-65535 protocols=http',
});
const { begin, save, finalize, requestReview, review, newStudy } = reportSteps(world);

const base = {
  isDictationAllowed: true,
  isLinkCodeRequired: false,
  linkDays: 30,
  isReviewRequired: false,
  isSignatureRequired: true,
  criticalMinutes: 60,
  urgentMinutes: 1440,
  significantMinutes: 10_080,
  letterhead: '',
  letterheadFooter: '',
  letterheadLogo: null,
  isReportStoredAsDicom: false,
  reportContact: '',
  reportIdentifier: 'BIRTH_DATE',
  aiModel: '',
  aiBaseUrl: '',
  isAiAgreed: false,
};

const configure = async (person: Person, changes: object) => {
  const admin = await world.signIn('ADMIN', person.tenant);
  const { data } = await admin.send(reportingSettings.read);
  return admin.send(reportingSettings.save, { body: { ...base, revision: data.revision, ...changes } });
};

/** Signs in a radiologist whose tenant drafts with a model server on this machine. */
const withModel = async (wire: Wire, chunks: readonly string[], fault?: ModelFault) => {
  const server = await startModelServer(wire, chunks, fault);
  const writer = await world.signIn('RADIOLOGIST');
  const model = { aiProvider: wire, aiModel: 'm-1', aiBaseUrl: server.baseUrl, aiKey: 'KEY-1', isAiAgreed: true };
  await configure(writer, model);
  return { server, writer };
};

const generate = (person: Person, body: object) => person.send(drafting.generate, { body });

const stream = async (person: Person, body: object, path = '/api/gemini/generate') => {
  const answer = await person.request({ method: 'POST', url: `${path}?stream=1`, payload: body });
  const events = (answer.statusCode === 200 ? answer.body : '')
    .split('\n\n')
    .filter(Boolean)
    .map((event) => draftingEvent.parse(JSON.parse(event.replace(/^data: /, ''))));
  return { answer, events };
};

/** Data of a study and of its patient that must not leave the server. */
const personal = {
  patient_name: 'Doe^Jane^Q',
  patient_id: 'MR-4711',
  email: 'jane@home.example',
  phone_number: '+49 30 5550199',
  date_of_birth: '1961-04-30',
};

const personalStudy = async (person: Person) => {
  const study = await newStudy(person);
  await world.inTenant(person.tenant, async ({ db }) => {
    await db
      .updateTable('studies')
      .set({
        accession_number: 'ACC77',
        referring_physician_name: 'House^Gregory',
        patient_name: personal.patient_name,
      })
      .where('id', '=', study.id)
      .execute();
    await db.updateTable('patients').set(personal).execute();
  });
  const { data } = await person.send(studies.get, { params: { id: study.id } });
  return { id: study.id, uid: data.studyInstanceUID };
};

const revealing = (uid: string) =>
  `Jane Doe (DOE, JANE; MR-4711; born 30.04.1961; ACC77; ${uid}) seen for Dr. House on 2026-11-22, ` +
  'call +49305550199 or jane@home.example. 6 mm nodule.';
const identifying = /jane|doe|4711|1961|ACC77|House|2026|5550199|example|\d\.\d+\.\d+\.\d+/i;

test('drafting from a prompt returns text', async () => {
  const writer = await world.signIn('RADIOLOGIST');

  const { data } = await generate(writer, { prompt: 'the nodule measures 6x5mm' });

  expect(data).toBe('The nodule measures 6 × 5 mm.');
});

test('drafting from findings returns a report, also with the field names of other clients', async () => {
  const writer = await world.signIn('RADIOLOGIST');
  const ask = (body: object) => writer.send(drafting.medicalReport, { body });
  const html = '<h2>Findings</h2><p>Fracture of rib 5.</p><h2>Impression</h2><p>Fracture of rib 5.</p>';

  expect((await ask({ studyDescription: 'Ribs', findings: 'fracture of rib 5' })).data).toBe(html);
  expect((await ask({ prompt: 'fracture of rib 5', clinicalInfo: 'Fall' })).data).toBe(html);
});

test.each([
  [{}, { studyDescription: 'Study description is required', findings: 'Findings are required' }],
  [{ studyDescription: ' ', findings: 'x' }, { studyDescription: 'Study description is required' }],
  [{ studyDescription: 'CT', findings: '' }, { findings: 'Findings are required' }],
])('refuses to draft a report of %j', async (body, faults) => {
  const writer = await world.signIn('RADIOLOGIST');

  const answer = await writer.send(drafting.medicalReport, { body });

  expect(answer.status).toBe(422);
  expect(Object.fromEntries((answer.errors ?? []).map(({ field, message }) => [field, message]))).toEqual(faults);
});

test('drafting is off if there is no provider, or if the tenant has not agreed to the provider', async () => {
  const off = { code: 503, message: 'AI service is not configured' };
  const writer = await world.signIn('RADIOLOGIST');

  await configure(writer, { aiProvider: 'NONE' });
  expect(await generate(writer, { prompt: 'x' })).toMatchObject(off);
  expect((await stream(writer, { prompt: 'x' })).answer.statusCode).toBe(503);

  await configure(writer, { aiProvider: 'GEMINI', aiModel: 'm', aiKey: 'k' });
  expect(await writer.send(drafting.medicalReport, { body: { prompt: 'x' } })).toMatchObject(off);
});

test('a draft has its findings under the headings of the template that fits the study', async () => {
  const writer = await world.signIn('RADIOLOGIST');
  const study = await newStudy(writer);
  await world.inTenant(writer.tenant, ({ db }) =>
    db
      .updateTable('studies')
      .set({ modality: 'CT', modalities: ['CT'], study_description: 'CT chest', description: '' })
      .where('id', '=', study.id)
      .execute(),
  );

  const { data } = await writer.send(drafting.medicalReport, {
    body: { studyDescription: 'CT chest', findings: '6 mm nodule in the left lower lobe', studyId: study.id },
  });

  expect(data.replaceAll(/<\/?ins[^>]*>/g, '')).toMatch(
    /<strong>[^<]*lungs:<\/strong> 6 mm nodule in the left lower lobe\./,
  );
  expect(data).toContain('[not confirmed]');
});

const wires: Wire[] = ['GEMINI', 'OPENAI'];

test.each(wires)('sends %s no data that identifies the patient, and restores it in the answer', async (wire) => {
  const { server, writer } = await withModel(wire, ['Compared with [DA', 'TE 11]: 6 mm nodule of [NAME 1].']);
  const { id, uid } = await personalStudy(writer);

  const { events } = await stream(writer, { prompt: revealing(uid), kind: 'IMPRESSION', studyId: id });

  const [received] = server.received;
  const prompts = received?.body ?? '';
  expect(prompts).not.toMatch(identifying);
  expect(prompts).toContain('6 mm nodule');
  const [first] = events;
  expect(first).toMatchObject({ kind: 'sent', sent: { prompt: expect.stringContaining('6 mm nodule') } });
  const sentPrompt = first?.kind === 'sent' ? (first.sent?.prompt ?? '') : '';
  expect(prompts).toContain(JSON.stringify(sentPrompt).slice(1, -1));
  expect(events.at(-1)).toMatchObject({
    kind: 'done',
    passages: [{ text: expect.stringMatching(/^Compared with .*: 6 mm nodule of Jane\.$/) }],
  });
});

test('removes identifiers from study description, clinical information and findings before sending them', async () => {
  const { server, writer } = await withModel('OPENAI', ['Fine.']);
  const { id, uid } = await personalStudy(writer);
  const words = revealing(uid);

  await writer.send(drafting.medicalReport, {
    body: { studyDescription: `CT. ${words}`, clinicalInfo: `Cough. ${words}`, findings: words, studyId: id },
  });

  const [received] = server.received;
  expect(received?.body).toContain('Cough.');
  expect(received?.body).not.toMatch(identifying);
});

test('removes further stored data of the people who take part in a study before sending a prompt', async () => {
  const { server, writer } = await withModel('OPENAI', ['Fine.']);
  const { id } = await personalStudy(writer);
  await world.inTenant(writer.tenant, async ({ db }) => {
    await db.updateTable('patients').set({ address: 'Elm Street 7' }).execute();
    await db
      .updateTable('studies')
      .set({
        order_number: 'ORD-X',
        scanner_study_id: 'SCAN-Y',
        ordering_physician_name: 'Cuddy^Lisa',
        performing_technologist_name: 'Ray^Xavier',
        referring_physician_phone: '555 01',
      })
      .where('id', '=', id)
      .execute();
  });

  await generate(writer, {
    prompt: 'Elm Street 7, ORD-X, SCAN-Y, asked for by Lisa Cuddy, done by Xavier, back to 55501. 6 mm nodule.',
    studyId: id,
  });

  expect(server.received[0]?.body).toContain('6 mm nodule');
  expect(server.received[0]?.body).not.toMatch(/Elm|ORD-X|SCAN-Y|Lisa|Cuddy|Xavier|55501/);
});

test('removes identifiers of former patients and merged records, even after an undo, before sending a prompt', async () => {
  const { server, writer } = await withModel('OPENAI', ['Fine.']);
  const admin = await world.signIn('ADMIN', writer.tenant);
  await storeAs(admin, image(jane));
  await storeAs(admin, image({ ...janet, PatientName: 'Roe^Janet', PatientTelephoneNumbers: '030 5550199' }));
  const [survivor, source] = [await detailsOf(admin, 'JANE-1'), await detailsOf(admin, 'JANET-1')];
  const [ofJane, ofJanet] = [survivor, source].map(({ studies: [study] }) => study?.id ?? '');
  const janets = 'Janet Roe (JANET-1, 1 Main St, 030 5550199)';
  const janes = 'Jane Doe (JANE-1)';
  const ask = (studyId = '') => generate(writer, { prompt: `${janets}, ${janes}: 6 mm nodule.`, studyId });

  const moved = await move(admin, ofJanet ?? '', survivor.id);
  await ask(ofJanet);
  await undo(admin, survivor.id, moved.data.id);
  await ask(ofJanet);
  const records = {
    person: admin,
    survivor: await detailsOf(admin, 'JANE-1'),
    source: await detailsOf(admin, 'JANET-1'),
  };
  const merged = await merge(records, { keep: { patientName: 'source' } });
  await ask(ofJane);

  expect([moved.status, merged.status]).toEqual([200, 200]);
  expect(server.received.map(({ body }) => body.includes('6 mm nodule'))).toEqual([true, true, true]);
  expect(server.received.map(({ body }) => body.match(/jane|doe|roe|main|5550199/gi) ?? [])).toEqual([[], [], []]);
});

test('removes other spellings of the name and other forms of the birth date before sending a prompt', async () => {
  const { server, writer } = await withModel('OPENAI', ['Fine.']);
  const { id } = await personalStudy(writer);
  const identity = { patient_name: 'KOWALCZYK_PAWEL(王|(a+)+$)=王小明', date_of_birth: '1961-05-03' };
  await world.inTenant(writer.tenant, async ({ db }) => {
    await db.updateTable('patients').set(identity).execute();
    await db.updateTable('studies').set({ patient_date_of_birth: '1962-06-04' }).where('id', '=', id).execute();
  });

  await generate(writer, {
    prompt: 'Paweł Kowalczyk 王小明 born 3 5 1961 or 4 6 62. 6 mm nodule. aaaaaaaaaaaaaaaaaaaaaaaaaaaa!',
    studyId: id,
  });

  expect(server.received[0]?.body).toContain('6 mm nodule');
  expect(server.received[0]?.body).not.toMatch(/pawe|kowal|[王小明]|1961|62/i);
});

test('removes full names and identifiers of other patients before sending a prompt', async () => {
  const { server, writer } = await withModel('OPENAI', ['Seen with [NAME 1].']);
  const { id } = await personalStudy(writer);
  const others: [identifier: string, name: string][] = [
    ['STO-90210', 'Stone^Mary^Ann'],
    ['LONG77', 'Long^Peter=龍^彼得'],
    ['M-1', 'Müller-Weiß^José'],
    ['OB-2', 'O’Brien^Niamh'],
    ['RU-3', 'Иванов^Пётр'],
    ['JP-4', 'Yamada^Tarou=山田^太郎=やまだ^たろう'],
    ['N-5', 'Van Der Berg^Ilse'],
    ['4711 0815', 'Skov^Søren'],
  ];
  await world.inTenant(writer.tenant, ({ db }) =>
    db
      .insertInto('patients')
      .values(others.map(([patient_id, patient_name]) => ({ id: newId(), patient_id, patient_name })))
      .execute(),
  );

  const passages = await generate(writer, {
    prompt:
      'Mary Stone and Ann Stone, STONE, MARY; Peter Q. Long’s film, 龍彼得; Jose Mueller, Müller-Weiss José; ' +
      "Niamh O'Brien; Пётр Иванов; 患者山田太郎さん; Ilse van der Berg; Soren Skov; sto 90210; 47110815; long77. " +
      'Mrs. Stone came later. Stone in the left ureter. Long segment of the tibia, M-1 segment, 6 mm nodule.',
    studyId: id,
  });

  const body = server.received[0]?.body ?? '';
  expect(body).toContain('6 mm nodule');
  expect(body).toContain('Stone in the left ureter. Long segment of the tibia, M-1 segment');
  expect(body.replace('Stone in the left ureter. Long segment', '')).not.toMatch(
    /stone|mary|peter|long|[龍彼山田]|jos|mueller|müller|wei|niamh|brien|Пётр|Иванов|ilse|berg|soren|skov|90210|0815/i,
  );
  expect(passages.data).toBe('Seen with Mary.');
});

test('does not remove the name of a patient of another organization from a prompt', async () => {
  const { server, writer } = await withModel('OPENAI', ['Fine.']);
  const { id } = await personalStudy(writer);
  const elsewhere = await world.newTenant();
  await world.inTenant(elsewhere, ({ db }) =>
    db.insertInto('patients').values({ id: newId(), patient_id: 'HID-77777', patient_name: 'Segment^Long' }).execute(),
  );

  await generate(writer, { prompt: 'A long segment, HID-77777, 6 mm nodule.', studyId: id });

  expect(server.received[0]?.body).toContain('A long segment, HID-77777, 6 mm nodule.');
});

test.each(wires)('a prompt without a study is not sent to %s', async (wire) => {
  const { server, writer } = await withModel(wire, ['Fine.']);
  const refused = {
    status: 422,
    errors: [{ field: 'studyId', message: expect.stringContaining('Study is required') }],
  };

  expect(await generate(writer, { prompt: '6 mm nodule' })).toMatchObject(refused);
  expect(await writer.send(drafting.medicalReport, { body: { prompt: 'x', clinicalInfo: 'y' } })).toMatchObject(
    refused,
  );
  expect((await stream(writer, { prompt: '6 mm nodule' })).answer.statusCode).toBe(422);
  expect(server.received).toEqual([]);
});

test('a streamed answer is sent in pieces and recorded as a passage', async () => {
  const { writer } = await withModel('OPENAI', ['No ', 'embolism.']);
  const study = await newStudy(writer);

  const { answer, events } = await stream(writer, { prompt: 'no PE', kind: 'IMPRESSION', studyId: study.id });

  expect(answer.headers['content-type']).toContain('text/event-stream');
  expect(events.map(({ kind }) => kind)).toEqual(['sent', 'piece', 'piece', 'done']);
  const done = events.at(-1);
  const [passage] = done?.kind === 'done' ? done.passages : [];
  expect(passage).toMatchObject({
    kind: 'IMPRESSION',
    text: 'No embolism.',
    html: `<p><ins ${passageAttribute}="${passage?.id}">No embolism.</ins></p>`,
    provider: 'OPENAI',
    model: 'm-1',
    isRuleBased: false,
  });
  const [sent] = events;
  const { instructions = '', prompt = '' } = (sent?.kind === 'sent' && sent.sent) || {};
  const [row] = await world.inTenant(writer.tenant, ({ db }) => db.selectFrom('ai_passages').selectAll().execute());
  expect(row).toMatchObject({
    id: passage?.id,
    study_id: study.id,
    kind: 'IMPRESSION',
    provider: 'OPENAI',
    model: 'm-1',
    created_by: writer.userId,
    created_at: expect.any(String),
    prompt_hash: hashOfText(`${instructions}\n\n${prompt}`),
    text_hash: hashOfText('No embolism.'),
    decision: null,
  });
});

test('each section of a drafted report is a passage with its own record', async () => {
  const { writer } = await withModel('OPENAI', ['**Findings:**\nLungs:\nClear.\n\n', 'Impression: No embolism.']);
  const study = await newStudy(writer);

  const { events } = await stream(writer, { prompt: 'no PE, lungs clear', kind: 'REPORT', studyId: study.id });

  const done = events.at(-1);
  const passages = done?.kind === 'done' ? done.passages : [];
  const [findings = '', impression = ''] = passages.map(({ id }) => ` ${passageAttribute}="${id}"`);
  expect(findings).not.toBe(impression);
  expect(passages.map(({ html }) => html)).toEqual([
    `<h2><ins${findings}>Findings</ins></h2><h2><ins${findings}>Lungs</ins></h2><p><ins${findings}>Clear.</ins></p>`,
    `<h2><ins${impression}>Impression</ins></h2><p><ins${impression}>No embolism.</ins></p>`,
  ]);
  const rows = await world.inTenant(writer.tenant, ({ db }) =>
    db.selectFrom('ai_passages').select(['id', 'text_hash']).where('study_id', '=', study.id).execute(),
  );
  const hashes = new Map(rows.map((row) => [row.id, row.text_hash]));
  expect(hashes).toEqual(new Map(passages.map(({ id, text }) => [id, hashOfText(text)])));
});

test('reports a failure of the provider, before the stream and within it', async () => {
  const { writer } = await withModel('OPENAI', ['No ', 'embolism.'], 500);
  const study = await newStudy(writer);
  const words = 'OpenAI-compatible server reported an internal error (500)';

  expect(await generate(writer, { prompt: 'x', studyId: study.id })).toMatchObject({ code: 502, message: words });
  const { events } = await stream(writer, { prompt: 'x', studyId: study.id });

  expect(events.at(-1)).toEqual({ kind: 'failed', message: words });
  const rows = await world.inTenant(writer.tenant, ({ db }) => db.selectFrom('ai_passages').select('id').execute());
  expect(rows).toEqual([]);
});

test('aborts the request to the provider when the reader closes the connection', async () => {
  const { server, writer } = await withModel('OPENAI', ['No ', 'embolism.'], 'stalls in the middle');
  const study = await newStudy(writer);
  const origin = await world.app.listen({ port: 0, host: '127.0.0.1' });
  const reader = new AbortController();

  const answer = await fetch(`${origin}/api/gemini/generate?stream=1`, {
    method: 'POST',
    headers: { authorization: `Bearer ${writer.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ prompt: 'x', studyId: study.id }),
    signal: reader.signal,
  });
  expect(answer.status).toBe(200);
  await eventually(() => expect(server.received).toHaveLength(1));
  reader.abort();

  await eventually(() => expect(server.closedEarly()).toBe(1));
});

test('audits a draft before it is sent, without its text', async () => {
  const { writer } = await withModel('GEMINI', ['x'], 500);
  const study = await newStudy(writer);

  await generate(writer, { prompt: 'secret words', kind: 'ENHANCEMENT', studyId: study.id });

  const entries = await world.inTenant(writer.tenant, ({ db }) =>
    db.selectFrom('audit_entries').selectAll().where('action', '=', 'ai_passage.draft').execute(),
  );
  expect(entries).toHaveLength(1);
  expect(entries[0]).toMatchObject({
    study_id: study.id,
    user_id: writer.userId,
    detail: {
      kind: 'ENHANCEMENT',
      provider: 'GEMINI',
      model: 'm-1',
      promptHash: expect.stringMatching(/^[\da-f]{64}$/),
    },
  });
  expect(JSON.stringify(entries)).not.toContain('secret');
});

/** Drafts a passage for a study with the rules, and returns its id. */
const drafted = async (writer: Person, studyId: string) => {
  const { events } = await stream(writer, { prompt: 'fracture of rib 5', kind: 'IMPRESSION', studyId });
  const done = events.at(-1);
  const { id = '', html = '' } = (done?.kind === 'done' && done.passages[0]) || {};
  return { id: id ?? '', html };
};

test('a report with an open AI passage can be saved and sent to review, but not approved or signed', async () => {
  const writer = await world.signIn('RADIOLOGIST');
  const reviewer = await world.signIn('RADIOLOGIST', writer.tenant);
  const { study, id } = await begin(writer);
  const { html, id: passageId } = await drafted(writer, study.id);
  const message = 'The report has an undecided AI passage. Accept or reject it first.';

  const saved = await save(writer, id, { content: html, revision: 1 });
  const signed = await finalize(writer, id, { content: html, revision: 2 });
  await requestReview(writer, id, reviewer);
  const approved = await review(reviewer, id, { approved: true, comments: 'Fine' });

  expect(openPassagesIn(saved.data.content)).toEqual([passageId]);
  expect(signed).toMatchObject({ code: 422, message });
  expect(approved).toMatchObject({ code: 422, message });
  const [row] = await world.inTenant(writer.tenant, ({ db }) =>
    db.selectFrom('ai_passages').select('report_id').execute(),
  );
  expect(row?.report_id).toBe(id);
});

test.each(['ins', 'del'])('an open AI passage marked by %s also prevents signing', async (tag) => {
  const writer = await world.signIn('RADIOLOGIST');
  const { study, id } = await begin(writer);
  const { id: passageId } = await drafted(writer, study.id);

  const content = `<p>a <${tag} data-ai-passage="${passageId.toUpperCase()}">b</${tag}></p>`;

  expect((await finalize(writer, id, { content, revision: 1 })).status).toBe(422);
});

test('refuses to begin an addendum with an open AI passage', async () => {
  const writer = await world.signIn('RADIOLOGIST');
  const { study, id } = await begin(writer);
  await finalize(writer, id);
  const { html } = await drafted(writer, study.id);

  const draftResponse = await writer.send(reportAddenda.begin, {
    params: { id },
    body: { kind: 'ADDENDUM', content: html },
  });

  expect(draftResponse).toMatchObject({
    code: 422,
    message: 'The report has an undecided AI passage. Accept or reject it first.',
  });
});

test('refuses an AI passage of another study or tenant in a report', async () => {
  const writer = await world.signIn('RADIOLOGIST');
  const stranger = await world.signIn('RADIOLOGIST');
  const { id } = await begin(writer);
  const other = await newStudy(writer);
  const othersStudy = await newStudy(stranger);
  const contents = [
    (await drafted(writer, other.id)).html,
    (await drafted(stranger, othersStudy.id)).html,
    `<p><ins ${passageAttribute}="${newId()}">x</ins></p>`,
  ];

  for (const content of contents) {
    const saved = await save(writer, id, { content, revision: 1 });
    expect(saved).toMatchObject({ code: 422, message: expect.stringContaining('drafted for another study') });
    const created = await beginReport(writer, (await newStudy(writer)).id, { content });
    expect(created.status).toBe(422);
  }
});

test('records a decision about an AI passage, but not from another tenant or for another study', async () => {
  const writer = await world.signIn('RADIOLOGIST');
  const stranger = await world.signIn('RADIOLOGIST');
  const study = await newStudy(writer);
  const other = await newStudy(writer);
  const { id: passageId } = await drafted(writer, study.id);
  const decide = (person: Person, id: string, decision: string) =>
    person.send(drafting.decide, { params: { id, passageId }, body: { decision } });

  const accepted = await decide(writer, study.id, 'ACCEPTED');
  const ofOtherStudy = await decide(writer, other.id, 'REJECTED');
  const ofStranger = await decide(stranger, study.id, 'REJECTED');

  expect(accepted.data).toEqual({ id: passageId, decision: 'ACCEPTED' });
  expect([ofOtherStudy.status, ofStranger.status]).toEqual([404, 404]);
  const [row] = await world.inTenant(writer.tenant, ({ db }) => db.selectFrom('ai_passages').selectAll().execute());
  expect(row).toMatchObject({ decision: 'ACCEPTED', decided_by: writer.userId, decided_at: expect.any(String) });
  const { data } = await writer.send(drafting.passages, { params: { id: study.id } });
  expect(data).toMatchObject([{ id: passageId, kind: 'IMPRESSION', provider: 'RULES', decision: 'ACCEPTED' }]);
});

test('an administrator can test a provider before saving its settings', async () => {
  const admin = await world.signIn('ADMIN');
  const test = (body: object) => admin.send(reportingSettings.test, { body });
  const works = await startModelServer('OPENAI', ['ready']);
  const refuses = await startModelServer('GEMINI', [], 401);

  const ok = await test({ aiProvider: 'OPENAI', aiModel: 'm', aiBaseUrl: works.baseUrl, aiKey: 'KEY-9' });
  const refused = await test({ aiProvider: 'GEMINI', aiModel: 'm', aiBaseUrl: refuses.baseUrl, aiKey: 'bad' });
  const rules = await test({ aiProvider: 'RULES', aiModel: '', aiBaseUrl: '' });

  expect(ok.data).toMatchObject({ isOk: true, message: 'The model answered' });
  expect(works.received[0]?.headers.authorization).toBe('Bearer KEY-9');
  expect(refused.data).toMatchObject({ isOk: false, message: 'Google Gemini rejected the API key (401)' });
  expect(rules.data).toMatchObject({
    isOk: true,
    message: expect.stringContaining('This drafter runs on this server'),
  });
});

test('sends a stored key only to the address for which it was stored', async () => {
  const { server, writer } = await withModel('OPENAI', ['ready']);
  const admin = await world.signIn('ADMIN', writer.tenant);
  const elsewhere = await startModelServer('OPENAI', ['ready']);
  const test = (aiBaseUrl: string) =>
    admin.send(reportingSettings.test, { body: { aiProvider: 'OPENAI', aiModel: 'm', aiBaseUrl } });

  await test(server.baseUrl);
  await test(elsewhere.baseUrl);

  expect(server.received[0]?.headers.authorization).toBe('Bearer KEY-1');
  expect(elsewhere.received[0]?.headers.authorization).toBeUndefined();
});

test.each([
  ['Nodule of 7 mm, earlier 6 mm on 22.11.2026.', ['7']],
  ['1. Nodule of 6 mm\n2. Again 6 mm, 1,5 cm', []],
])("names numbers in a model's answer that the reader did not give: %j", async (words, strangeNumbers) => {
  const { writer } = await withModel('OPENAI', [words]);
  const study = await newStudy(writer);

  const { events } = await stream(writer, {
    prompt: '6 mm on 22.11.2026, 1.5 cm',
    kind: 'IMPRESSION',
    studyId: study.id,
  });

  expect(events.at(-1)).toMatchObject({ kind: 'done', passages: [{ strangeNumbers: strangeNumbers }] });
});
