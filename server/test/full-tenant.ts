import { Readable } from 'node:stream';
import { userTypes } from '@radwork/contract/access';
import { chat } from '@radwork/contract/chat';
import { criticalFindings } from '@radwork/contract/critical-findings';
import { reportAddenda } from '@radwork/contract/report-addenda';
import { keyImages } from '@radwork/contract/key-images';
import { measurements } from '@radwork/contract/measurements';
import { portal } from '@radwork/contract/portal';
import { roles } from '@radwork/contract/roles';
import { macros } from '@radwork/contract/macros';
import { reports } from '@radwork/contract/reports';
import { studies } from '@radwork/contract/studies';
import { templates } from '@radwork/contract/templates';
import { users } from '@radwork/contract/users';
import { uidFrom } from '@radwork/dicom/uid';
import { simpleInstance } from '@radwork/phantom/instance';
import { sql } from 'kysely';
import { storeInstances } from '#archive/store.ts';
import { audit } from '#core/audit.ts';
import { newId } from '#core/ids.ts';
import { fold } from '#features/dashboard/fold.ts';
import { placeOfPicture, placeOfPin } from '#features/signing-means/stored-means.ts';
import { placeOfKey } from '#features/credentials/second-factor-code.ts';
import { makePasswordLink } from '#features/credentials/password-links.ts';
import { textKeyOf } from '#features/sessions/text-key.ts';
import { found } from '#core/problem.ts';
import type { Scope } from '#core/scope.ts';
import { sendForm } from './library-files.ts';
import { beginReport, signature } from './report-steps.ts';
import type { Person, Tenant, World } from './world.ts';

export type FullTenant = Awaited<ReturnType<typeof fillTenant>>;

/** Creates a tenant with at least one row in every table. Every text from its users contains `mark`. */
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
  const measurementId = await measure(author, study.id, uids, mark);
  const keyImageId = await markKeyImage(author, study.id, uids, mark);
  const beginnings = await writeBeginnings(found(people.get('ADMIN'), 'administrator'), mark);
  const accounts = await writeAccounts(found(people.get('SUPER_ADMIN'), 'super administrator'), mark);
  const [applicationEntityId, importJobId, configurationId] = [newId(), newId(), newId()];
  const [notificationId, removalId, deliveryId] = [newId(), newId(), newId()];
  const [mergeId, otherPatientId, aiPassageId, identityQuestionId] = [newId(), newId(), newId(), newId()];
  const [ssoIdentityId, ssoArrivalId] = [newId(), newId()];
  const [webhookId, deviceId] = [newId(), newId()];
  const otherSession = await beginSession(world, author);
  const library = await writeLibrary(author, mark);
  await textKeyOf(world.context, author.session);
  await world.inTenant(tenant, async (scope) => {
    const { db } = scope;
    await makePasswordLink(scope, author.userId, 'RESET');
    await db
      .insertInto('second_factors')
      .values({
        user_id: author.userId,
        sealed_key: world.context.vault.seal('A'.repeat(32), placeOfKey(tenant.id, author.userId)),
        recovery_salt: Buffer.alloc(16),
      })
      .execute();
    await db
      .insertInto('recovery_codes')
      .values({ user_id: author.userId, code_hash: Buffer.alloc(32) })
      .execute();
    const owner = { tenantId: tenant.id, userId: author.userId };
    await db
      .insertInto('saved_signatures')
      .values({ user_id: author.userId, sealed_picture: world.context.vault.seal(mark, placeOfPicture(owner)) })
      .execute();
    await db
      .insertInto('signing_pins')
      .values({ user_id: author.userId, sealed_hash: world.context.vault.seal(mark, placeOfPin(owner)) })
      .execute();
    await db
      .insertInto('signing_proofs')
      .values({
        id: newId(),
        user_id: author.userId,
        session_id: author.session.id,
        token_hash: Buffer.alloc(32, 9),
        sent_to: mark,
        expires_at: '2126-01-01T00:00:00Z',
      })
      .execute();
    await db
      .insertInto('mails')
      .values({ id: newId(), sealed: 'v1.sealed.mail', expires_at: '2126-01-01T00:00:00Z' })
      .execute();
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
      // Lasts longer than the test.
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
    await fold(scope);
    await db
      .insertInto('dashboard_changes')
      .values({ kind: 'ARRIVED', at: '2026-11-20T09:30:00Z', key: 'CT', change: 0 })
      .execute();
    await db.insertInto('critical_restarts').values({ id: newId(), finding_id: findingId, state: 'OPEN' }).execute();
    await db.insertInto('critical_contacts').values({ rung: 'LEAD', user_id: author.userId }).execute();
    await writeOutreach(scope, { userId: author.userId, findingId, webhookId, deviceId, mark });
    await db.insertInto('unwanted_notifications').values({ user_id: author.userId, type: 'IMPORT' }).execute();
    await db
      .insertInto('kept_layouts')
      .values({ user_id: author.userId, kind: mark, layout: '1x2', roles: [mark] })
      .execute();
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
        password: 'v1.sealed.password.of-a-remote',
        token: 'v1.sealed.token.of-a-remote',
        api_key: 'v1.sealed.key.of-a-remote',
        api_secret: 'v1.sealed.secret.of-a-remote',
      })
      .execute();
    await writeMergedPatient({
      db,
      mergeId,
      identityQuestionId,
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
    await writeSingleSignOn(scope, { mark, ssoIdentityId, ssoArrivalId, userId: author.userId });
    await db
      .insertInto('blob_removals')
      .values({ sha256: Buffer.alloc(32) })
      .execute();
    await db
      .insertInto('unused_bytes')
      .values({ sha256: Buffer.alloc(32) })
      .execute();
    await db
      .insertInto('worklist_told')
      .values({ study_id: study.id, patient_id: mark, issuer: '', patient_name: mark })
      .execute();
    await db
      .insertInto('series_requests')
      .values({ series_id: series.id, item: 1, scheduled_procedure_step_id: mark, requested_procedure_id: mark })
      .execute();
  });
  const { public_id: organisationId } = await world.owner
    .selectFrom('tenants')
    .select('public_id')
    .where('id', '=', tenant.id)
    .executeTakeFirstOrThrow();
  await fillAudit(world, tenant, author);
  return {
    tenant,
    organisationId,
    people,
    ...uids,
    studyId: study.id,
    patientId: study.patient.id,
    applicationEntityId,
    importJobId,
    configurationId,
    findingId,
    mergeId,
    identityQuestionId,
    otherPatientId,
    assigneeId: author.userId,
    sessionId: otherSession,
    notificationId,
    webhookId,
    deviceId,
    removalId,
    deliveryId,
    chatMessageId,
    measurementId,
    keyImageId,
    aiPassageId,
    ssoIdentityId,
    ssoArrivalId,
    ...report,
    ...beginnings,
    ...library,
    ...accounts,
  };
};

type SingleSignOn = { mark: string; ssoIdentityId: string; ssoArrivalId: string; userId: string };

/** Marks the image as a key image, with the mark of the tenant. */
const markKeyImage = async (
  author: Person,
  id: string,
  uids: { seriesUid: string; instanceUid: string },
  mark: string,
) => {
  const keyImageId = newId();
  const body = {
    seriesInstanceUID: uids.seriesUid,
    sopInstanceUID: uids.instanceUid,
    frame: 1,
    note: mark,
    look: {
      window: { lower: -160, upper: 240 },
      isInverted: false,
      rotation: 0,
      isMirroredAcross: false,
      isMirroredDown: false,
      zoom: 1,
      pan: [0, 0] as [number, number],
    },
    revision: 0,
  };
  await author.send(keyImages.save, { params: { id, keyImageId }, body });
  return keyImageId;
};

/** Draws a line on the image, with the mark of the tenant. */
const measure = async (author: Person, id: string, uids: { seriesUid: string; instanceUid: string }, mark: string) => {
  const measurementId = newId();
  const body = {
    tool: 'LENGTH' as const,
    seriesInstanceUID: uids.seriesUid,
    sopInstanceUID: uids.instanceUid,
    frame: 1,
    frameOfReferenceUID: null,
    points: [[0, 0, 0] as [number, number, number], [10, 0, 0] as [number, number, number]],
    plane: null,
    label: mark,
    values: [{ quantity: 'LENGTH' as const, value: 10, unit: 'mm' }],
    revision: 0,
  };
  await author.send(measurements.save, { params: { id, measurementId }, body });
  return measurementId;
};

const writeSingleSignOn = async ({ db }: Scope, { mark, ssoIdentityId, ssoArrivalId, userId }: SingleSignOn) => {
  await db
    .insertInto('single_sign_on')
    .values({
      label: mark,
      issuer: `https://provider.invalid/${mark}`,
      client_id: mark,
      client_secret: 'v1.sealed.secret.of-a-provider',
    })
    .execute();
  const somebody = { issuer: 'https://provider.invalid', subject: mark };
  await db
    .insertInto('user_identities')
    .values({ ...somebody, id: ssoIdentityId, user_id: userId })
    .execute();
  await db
    .insertInto('sso_arrivals')
    .values({ ...somebody, id: ssoArrivalId, username: mark, name: mark, email: mark })
    .execute();
  await db
    .insertInto('sso_attempts')
    .values({
      id: newId(),
      state_hash: Buffer.from(newId()),
      browser_hash: Buffer.alloc(32),
      secrets: 'v1.sealed.secrets.of-an-attempt',
      revision: 1,
      redirect_address: 'https://radwork.invalid',
      expires_at: '2126-11-22T09:12:00Z',
    })
    .execute();
};

/** Begins another session of a user, who can end it and stay signed in. */
const beginSession = async (world: World, { tenant, userId }: Person): Promise<string> => {
  const token = await world.inTenant(tenant, ({ db }) =>
    world.context.sessions.begin(db, userId, { address: '127.0.0.1', userAgent: 'test' }),
  );
  return found(await world.context.sessions.resolve(token, '127.0.0.1', true), 'session').id;
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
  identityQuestionId: string;
  otherPatientId: string;
  patientId: string;
  studyId: string;
  userId: string;
  mark: string;
};

/** Adds a merged patient record, and a question about the identity of the patient. */
const writeMergedPatient = async ({
  db,
  identityQuestionId,
  mergeId,
  otherPatientId,
  patientId,
  studyId,
  userId,
  mark,
}: MergedPatient) => {
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
  await db
    .insertInto('identity_questions')
    .values({
      id: identityQuestionId,
      study_id: studyId,
      known_patient_id: sourceId,
      provisional_patient_id: patientId,
      said_name: mark,
      said_gender: 'U',
      contradictions: ['NAME'],
      origin: 'ARRIVED',
      state: 'ANOTHER_PERSON',
      decided_at: sql`now()`,
    })
    .execute();
  await db.insertInto('identity_searches').values({ patients_in_all: 1 }).execute();
};

/** Adds a finished import, and a job in a queue without a worker. */
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

/** Sends one message that is read, and one that is deleted. */
const talk = async ({ send }: Person, conversationId: string, mark: string): Promise<string> => {
  const said = await send(chat.send, { body: { conversationId, text: mark } });
  const params = { conversationId, messageId: said.data.id };
  await send(chat.read, { params, body: { messageId: said.data.id } });
  const deleted = await send(chat.send, { body: { conversationId, text: mark } });
  await send(chat.remove, { params: { messageId: deleted.data.id } });
  return said.data.id;
};

/** Creates a finalized report with a critical finding and a share link. */
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

/** Records that the finding of a study was communicated to an outside recipient. */
const tellOfFinding = async ({ send }: Person, studyId: string, mark: string): Promise<string> => {
  const { data } = await send(criticalFindings.ofStudy, { params: { id: studyId } });
  const { id } = found(data[0], 'finding');
  await send(criticalFindings.communicate, {
    params: { id },
    body: { recipientName: mark, method: 'PHONE', note: mark },
  });
  return id;
};

/** Creates a template with its first version, and a shared macro. */
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

/** Creates an atlas entry and a guideline, each with a file. */
const writeLibrary = async (person: Person, mark: string) => {
  const about = { title: mark, author: mark, modality: 'CT', bodyPart: mark, summary: mark, content: mark };
  const files = [{ name: `${mark}.pdf`, bytes: Buffer.from(`%PDF-1.7 ${mark}`) }];
  const entry = await sendForm(person, 'POST', '/atlas', { part: 'atlas', body: about, files });
  const advice = await sendForm(person, 'POST', '/guidelines', { part: 'guideline', body: about, files });
  return {
    atlasId: String(entry.data.id),
    guidelineId: String(advice.data.id),
    fileId: String(entry.data.files[0].id),
  };
};

type OutreachIds = { userId: string; findingId: string; webhookId: string; deviceId: string; mark: string };

/** Adds a notification choice, a device, a webhook, and a message about a finding. */
const writeOutreach = async ({ db }: Scope, { userId, findingId, webhookId, deviceId, mark }: OutreachIds) => {
  await db
    .insertInto('outreach_choices')
    .values({ user_id: userId, topic: 'MENTION', channel: 'MAIL', is_wanted: true })
    .execute();
  await db.insertInto('quiet_hours').values({ user_id: userId, begins: '22:00', ends: '07:00' }).execute();
  await db
    .insertInto('push_subscriptions')
    .values({ id: deviceId, user_id: userId, endpoint_hash: Buffer.alloc(32), sealed: 'v1.sealed.device', label: mark })
    .execute();
  await db
    .insertInto('webhooks')
    .values({
      id: webhookId,
      name: mark,
      url: 'https://pager.example/hook',
      sealed_secret: 'v1.sealed.secret.of-a-webhook',
      topics: ['CRITICAL_LEAD'],
      is_active: false,
    })
    .execute();
  await db
    .insertInto('outbound_messages')
    .values({
      id: newId(),
      channel: 'WEBHOOK',
      topic: 'CRITICAL_LEAD',
      webhook_id: webhookId,
      finding_id: findingId,
      link: '/',
      state: 'FAILED',
      attempts: 1,
      error: mark,
    })
    .execute();
};

/** Creates a role of the organization, and a user with it who has never signed in. */
const writeAccounts = async ({ send }: Person, mark: string) => {
  const role = await send(roles.create, { body: { name: mark, description: mark, permissions: ['study.view'] } });
  const person = { username: `u${mark}`.slice(0, 64), name: mark, email: 'x@example.org', specialization: mark };
  const made = await send(users.create, { body: { ...person, userType: 'RADIOLOGIST', roles: [role.data.id] } });
  return { roleId: role.data.id, userId: made.data.user.id };
};

/** Seals all but the last audit entry. */
const fillAudit = async (world: World, { id }: Tenant, { inScope }: Person) => {
  await world.context.auditReads.flush();
  await sql`select seal_audit_of(${id}, 10000)`.execute(world.owner);
  await inScope((scope) => audit(scope, 'audit.verify', { entity: 'audit' }));
};

/** Returns the names of tables that belong to tenants. */
export const tenantTables = async ({ owner }: World): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and a.attname = 'tenant_id' and not a.attisdropped
    order by c.relname`.execute(owner);
  return rows.map(({ name }) => name);
};
