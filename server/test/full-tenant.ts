import { Readable } from 'node:stream';
import { userTypes } from '@radwork/contract/access';
import { chat } from '@radwork/contract/chat';
import { criticalFindings } from '@radwork/contract/critical-findings';
import { reportAddenda } from '@radwork/contract/report-addenda';
import { portal } from '@radwork/contract/portal';
import { macros } from '@radwork/contract/macros';
import { reports } from '@radwork/contract/reports';
import { studies } from '@radwork/contract/studies';
import { templates } from '@radwork/contract/templates';
import { uidFrom } from '@radwork/dicom/uid';
import { simpleInstance } from '@radwork/phantom/instance';
import { sql } from 'kysely';
import { storeInstances } from '#archive/store.ts';
import { newId } from '#core/ids.ts';
import { found } from '#core/problem.ts';
import type { Scope } from '#core/scope.ts';
import { beginReport, signature } from './report-steps.ts';
import type { Person, World } from './world.ts';

export type FullTenant = Awaited<ReturnType<typeof fillTenant>>;

/** A tenant with at least one row in every table. Every text that its people could type or send says `mark`. */
export const fillTenant = async (world: World, mark: string) => {
  const tenant = await world.newTenant({ name: `Clinic ${mark}` });
  const signedIn = await Promise.all(userTypes.map((type) => world.signIn(type, tenant)));
  const people = new Map(userTypes.map((type, index) => [type, found(signedIn[index], 'person')]));
  const author = found(people.get('RADIOLOGIST'), 'radiologist');
  const uids = await storeImage(world, author.session, mark);
  const { data: page } = await author.send(studies.list);
  const study = found(page.content[0], 'study');
  const body = { revision: 1, description: mark, clinicalHistory: mark, referringPhysicianName: mark };
  await author.send(studies.update, { params: { id: study.id }, body });
  const report = await writeReport(author, study.id, mark);
  const findingId = await tellOfFinding(author, study.id, mark);
  await world.send(portal.report, { params: { hash: report.linkHash } });
  const chatMessageId = await talk(author, study.id, mark);
  const beginnings = await writeBeginnings(found(people.get('ADMIN'), 'administrator'), mark);
  const [applicationEntityId, importJobId, configurationId] = [newId(), newId(), newId()];
  const [notificationId, removalId, deliveryId] = [newId(), newId(), newId()];
  const [mergeId, otherPatientId, aiPassageId] = [newId(), newId(), newId()];
  await world.inTenant(tenant, async ({ db }) => {
    await db
      .insertInto('study_participants')
      .values(signedIn.map(({ userId }) => ({ study_id: study.id, user_id: userId, role: 'SHARED' as const })))
      .execute();
    await db
      .insertInto('study_assignments')
      .values({ id: newId(), study_id: study.id, user_id: author.userId, assigned_by: author.userId, notes: mark })
      .execute();
    const notice = { user_id: author.userId, type: 'MENTION' as const, title: mark, message: mark, link: null };
    await db
      .insertInto('notifications')
      .values([
        { ...notice, id: notificationId },
        { ...notice, id: newId(), removal_id: removalId, removed_at: '2026-11-20T09:30:00Z' },
      ])
      .execute();
    await db
      .insertInto('chat_invitations')
      .values({ study_id: study.id, user_id: author.userId, invited_by: author.userId })
      .execute();
    await db
      .insertInto('report_autosaves')
      .values({
        id: newId(),
        study_id: study.id,
        writer_id: author.userId,
        patient_id: study.patient.id,
        content: `<p>${mark}</p>`,
        has_critical_findings: true,
        critical_findings_details: mark,
      })
      .execute();
    await db
      .insertInto('reading_locks')
      // Held for as long as the test lasts.
      .values({
        study_id: study.id,
        user_id: author.userId,
        username: mark,
        name: mark,
        seen_at: '2126-11-22T09:12:00Z',
      })
      .execute();
    await db
      .insertInto('ai_passages')
      .values({
        id: aiPassageId,
        study_id: study.id,
        kind: 'IMPRESSION',
        provider: 'OPENAI',
        model: mark,
        prompt_hash: Buffer.alloc(32),
        text_hash: Buffer.alloc(32),
        created_by: author.userId,
      })
      .execute();
    await db.insertInto('critical_restarts').values({ id: newId(), finding_id: findingId, state: 'OPEN' }).execute();
    await db.insertInto('critical_contacts').values({ rung: 'LEAD', user_id: author.userId }).execute();
    await db.insertInto('unwanted_notifications').values({ user_id: author.userId, type: 'IMPORT' }).execute();
    const series = await db.selectFrom('series').select('id').executeTakeFirstOrThrow();
    await db
      .insertInto('series_metadata')
      .values({ series_id: series.id, instance_count: 0, body: Buffer.from(mark) })
      .onConflict((made) => made.doNothing())
      .execute();
    await db
      .insertInto('application_entities')
      .values({
        id: applicationEntityId,
        called_ae_title: applicationEntityId.slice(-16),
        calling_ae_title: mark.slice(0, 16),
        description: mark,
      })
      .execute();
    await db
      .insertInto('remote_configurations')
      .values({
        id: configurationId,
        ae_title: mark.slice(0, 16),
        protocol: 'DICOMWEB',
        base_url: `https://archive.invalid/${mark}`,
        auth_type: 'BASIC',
        username: mark,
        password: 'v1.a.b.c',
      })
      .execute();
    await writeMergedPatient({
      db,
      mergeId,
      otherPatientId,
      patientId: study.patient.id,
      studyId: study.id,
      userId: author.userId,
      mark,
    });
    await writeImport({ db, importJobId, userId: author.userId, tenantId: tenant.id, mark });
    await db
      .insertInto('report_deliveries')
      .values({
        id: deliveryId,
        report_id: report.reportId,
        kind: 'FHIR',
        remote_config_id: configurationId,
        destination: mark,
        state: 'FAILED',
        error: mark,
        requested_by: author.userId,
        requested_by_tenant_id: tenant.id,
        requested_by_name: mark,
      })
      .execute();
    await db
      .insertInto('report_objects')
      .values({
        sop_instance_uid: uidFrom(mark),
        report_id: report.reportId,
        patient_id: study.patient.id,
        naming: mark,
      })
      .execute();
    await db
      .insertInto('blob_removals')
      .values({ sha256: Buffer.alloc(32) })
      .execute();
    await db
      .insertInto('series_requests')
      .values({ series_id: series.id, item: 1, scheduled_procedure_step_id: mark, requested_procedure_id: mark })
      .execute();
  });
  return {
    tenant,
    people,
    ...uids,
    studyId: study.id,
    patientId: study.patient.id,
    applicationEntityId,
    importJobId,
    configurationId,
    findingId,
    mergeId,
    otherPatientId,
    assigneeId: author.userId,
    notificationId,
    removalId,
    deliveryId,
    chatMessageId,
    aiPassageId,
    ...report,
    ...beginnings,
  };
};

const storeImage = async (world: World, session: Parameters<typeof storeInstances>[1], mark: string) => {
  const [studyUid, seriesUid, instanceUid] = ['study', 'series', 'instance'].map((level) => uidFrom(mark, level));
  const bytes = simpleInstance({
    StudyInstanceUID: studyUid,
    SeriesInstanceUID: seriesUid,
    SOPInstanceUID: instanceUid,
    PatientName: `${mark}^Person`,
    PatientID: mark,
    StudyDescription: mark,
    SeriesDescription: mark,
    AccessionNumber: mark.slice(0, 16),
  });
  const files = [{ name: `${mark}.dcm`, body: Readable.from([bytes]) }];
  const { refused } = await storeInstances(world.context, session, files);
  if (refused.length > 0) throw new Error(`The image was refused: ${refused[0]?.reason}`);
  return { studyUid: studyUid ?? '', seriesUid: seriesUid ?? '', instanceUid: instanceUid ?? '' };
};

type MergedPatient = Pick<Scope, 'db'> & {
  mergeId: string;
  otherPatientId: string;
  patientId: string;
  studyId: string;
  userId: string;
  mark: string;
};

/** A record that was merged into a patient, and something that files say of the patient otherwise. */
const writeMergedPatient = async ({ db, mergeId, otherPatientId, patientId, studyId, userId, mark }: MergedPatient) => {
  const sourceId = newId();
  await db
    .insertInto('patients')
    .values({ id: sourceId, patient_id: `${mark}-2`, patient_name: `${mark}^Person`, merged_into: patientId })
    .execute();
  await db
    .insertInto('patients')
    .values({ id: otherPatientId, patient_id: `${mark}-3`, patient_name: `${mark}^Person` })
    .execute();
  await db
    .insertInto('patient_merges')
    .values({ id: mergeId, kind: 'MERGE', survivor_id: patientId, source_id: sourceId, made_by: userId })
    .execute();
  await db
    .insertInto('patient_differences')
    .values({ id: newId(), patient_id: patientId, field: 'address', value: mark, study_id: studyId })
    .execute();
};

/** An import that has ended, and something that waits in a queue that nobody works on. */
const writeImport = async ({ db, importJobId, userId, tenantId, mark }: Imported) => {
  await db
    .insertInto('import_jobs')
    .values({
      id: importJobId,
      remote_config_id: newId(),
      remote_name: mark,
      protocol: 'DICOMWEB',
      study_instance_uid: uidFrom(mark, 'imported study'),
      patient_name: `${mark}^Person`,
      study_description: mark,
      state: 'FAILED',
      cause: mark,
      requested_by: userId,
      requested_by_tenant_id: tenantId,
      requested_by_name: mark,
      finished_at: '2026-11-20T09:30:00Z',
    })
    .execute();
  await db
    .insertInto('import_failures')
    .values({ import_job_id: importJobId, sop_instance_uid: uidFrom(mark, 'missing'), reason: mark })
    .execute();
  await db.insertInto('jobs').values({ id: importJobId, queue: 'nobody' }).execute();
};

type Imported = Pick<Scope, 'db'> & { importJobId: string; userId: string; tenantId: number; mark: string };

/** One message that stands and is read, and one that was taken back. */
const talk = async ({ send }: Person, conversationId: string, mark: string): Promise<string> => {
  const said = await send(chat.send, { body: { conversationId, text: mark } });
  const params = { conversationId, messageId: said.data.id };
  await send(chat.read, { params, body: { messageId: said.data.id } });
  const deleted = await send(chat.send, { body: { conversationId, text: mark } });
  await send(chat.remove, { params: { messageId: deleted.data.id } });
  return said.data.id;
};

/** A finalized report with a critical finding and a link. */
const writeReport = async (author: Awaited<ReturnType<World['signIn']>>, studyId: string, mark: string) => {
  const content = `<p>${mark}</p>`;
  const draft = await beginReport(author, studyId, {
    content,
    hasCriticalFindings: true,
    criticalFindingsDetails: mark,
  });
  const params = { id: draft.data.id };
  await author.send(reports.addCriticalFinding, { params, body: { finding: mark, severity: 'URGENT' } });
  const final = await author.send(reports.finalize, { params, body: { content, signatureData: signature } });
  const addendum = await author.send(reportAddenda.begin, { params, body: { kind: 'ADDENDUM', content } });
  const link = await author.send(reports.share, { params, body: {} });
  if (final.code !== 200 || link.code !== 200) throw new Error(`${final.message}, ${link.message}`);
  const addendumId = found(addendum.data.addendumDraft?.id, 'addendum');
  return { addendumId, reportId: params.id, version: final.data.history.length, linkHash: link.data.linkHash };
};

/** The finding of a study, of which somebody outside was told. */
const tellOfFinding = async ({ send }: Person, studyId: string, mark: string): Promise<string> => {
  const { data } = await send(criticalFindings.ofStudy, { params: { id: studyId } });
  const { id } = found(data[0], 'finding');
  await send(criticalFindings.communicate, {
    params: { id },
    body: { recipientName: mark, method: 'PHONE', note: mark },
  });
  return id;
};

/** What reports are begun from: a template with its first version, and a shared macro. */
const writeBeginnings = async ({ send }: Person, mark: string) => {
  const content = `<p>${mark}</p>`;
  const sections = [{ name: mark, content, order: 1 }];
  const normalFindings = { bodyPart: mark, modality: 'CT', content };
  const template = await send(templates.create, {
    body: { name: mark, description: mark, modality: 'CT', bodyPart: mark, content, sections, normalFindings },
  });
  const macro = await send(macros.create, {
    body: { abbreviation: `m${mark}`.slice(0, 24), name: mark, text: mark, isShared: true },
  });
  return { templateId: template.data.id, macroId: macro.data.id };
};

/** The tables that belong to tenants. */
export const tenantTables = async ({ owner }: World): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and a.attname = 'tenant_id' and not a.attisdropped
    order by c.relname`.execute(owner);
  return rows.map(({ name }) => name);
};
