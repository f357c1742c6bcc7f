import type { Body, Endpoint } from '@radwork/contract/core/endpoint';
import { reports } from '@radwork/contract/reading/reports';
import { sql } from 'kysely';
import { addStudy } from './stored-study.ts';
import type { Answer, Person, World } from './world.ts';

export const reportText = '<p>No acute finding.</p>';

/** The smallest valid signature image. */
export const signature = `data:image/png;base64,${Buffer.from('89504e470d0a1a0a0000', 'hex').toString('base64')}`;

/** Begins a report as the page does, for the current patient of the study. */
export const beginReport = async (person: Person, studyId: string, body: Partial<Body<typeof reports.create>> = {}) => {
  const params = { id: studyId };
  const { data } = await person.send(reports.ofStudy, { params });
  return person.send(reports.create, { params, body: { content: reportText, patientId: data.patient.id, ...body } });
};

/** Steps with reports, over HTTP. */
export const reportSteps = (world: World) => ({
  newStudy: (person: Person) => world.inTenant(person.tenant, (scope) => addStudy(scope)),

  /** Creates a study and its draft report. */
  begin: async (person: Person, content = reportText) => {
    const study = await world.inTenant(person.tenant, (scope) => addStudy(scope));
    const { data } = await person.send(reports.create, {
      params: { id: study.id },
      body: { content, patientId: study.patientId },
    });
    return { study, id: data.id, report: data };
  },

  save: (person: Person, id: string, body: object) => person.send(reports.save, { params: { id }, body }),

  finalize: (person: Person, id: string, body: object = {}) =>
    person.send(reports.finalize, {
      params: { id },
      body: { content: reportText, signatureData: signature, ...body },
    }),

  requestReview: (person: Person, id: string, reviewer: Person) =>
    person.send(reports.requestReview, { params: { id }, body: { reviewerId: reviewer.userId, notes: 'Please look' } }),

  rerouteReview: (person: Person, id: string, reviewer: Person) =>
    person.send(reports.rerouteReview, { params: { id }, body: { reviewerId: reviewer.userId } }),

  review: (person: Person, id: string, body: object) => person.send(reports.submitReview, { params: { id }, body }),

  participate: (person: Person, studyId: string, role: 'ASSIGNEE' | 'REFERRER') =>
    world.inTenant(person.tenant, ({ db }) =>
      db.insertInto('study_participants').values({ study_id: studyId, user_id: person.userId, role }).execute(),
    ),

  studyStatus: (person: Person, id: string) =>
    world.inTenant(person.tenant, async ({ db }) => {
      const study = await db.selectFrom('studies').select('status').where('id', '=', id).executeTakeFirst();
      return study?.status;
    }),

  tasks: (person: Person) =>
    world.inTenant(person.tenant, ({ db }) =>
      db.selectFrom('task_history').select(['type', 'display_value', 'user_id']).orderBy('created_at').execute(),
    ),

  /** Changes a signed text in the database and bypasses its protection. */
  tamperWith: async (id: string, content = '<p>Large mass.</p>') => {
    await sql`alter table reports disable trigger finalized_is_final`.execute(world.owner);
    await world.owner.updateTable('reports').set({ content }).where('id', '=', id).execute();
    await sql`alter table reports enable trigger finalized_is_final`.execute(world.owner);
  },

  auditedActions: async (person: Person) => {
    await world.context.auditReads.flush();
    return world.inTenant(person.tenant, async ({ db }) => {
      const entries = await db.selectFrom('audit_entries').select('action').orderBy('id').execute();
      return entries.map(({ action }) => action);
    });
  },
});

export const sortedStatuses = (answers: Answer<Endpoint>[]): number[] =>
  answers.map(({ status }) => status).toSorted((one, other) => one - other);
