import type { StudyStatus } from '@radwork/contract/imaging/study-status';
import { workflow } from '@radwork/contract/reading/workflow';
import { addStudy } from './stored-study.ts';
import type { Person, World } from './world.ts';

/** Steps with the work on studies, over HTTP. */
export const workSteps = (world: World) => ({
  newStudy: async (person: Person, status: StudyStatus = 'PENDING', overrides: Parameters<typeof addStudy>[1] = {}) =>
    (await world.inTenant(person.tenant, (scope) => addStudy(scope, { status, ...overrides }))).id,

  read: (person: Person, id: string) => person.send(workflow.read, { params: { id } }),

  changeStatus: (person: Person, id: string, newStatus: string, more: Record<string, string | number> = {}) =>
    person.send(workflow.changeStatus, { params: { id }, query: { newStatus, ...more } }),

  assign: (person: Person, id: string, to: readonly Pick<Person, 'userId'>[], more: object = {}) =>
    person.send(workflow.assign, { params: { id }, body: { userIds: to.map(({ userId }) => userId), ...more } }),

  unassign: (person: Person, id: string, { userId }: Pick<Person, 'userId'>) =>
    person.send(workflow.removeAssignment, { params: { id, userId } }),

  /** Removes the access of a user whose work has ended. */
  takeAccess: (person: Person, id: string, { userId }: Pick<Person, 'userId'>) =>
    person.send(workflow.removeAssignment, { params: { id, userId }, query: { state: 'ENDED' } }),

  extend: (person: Person, id: string, { userId }: Pick<Person, 'userId'>, dueDate: string) =>
    person.send(workflow.extend, { params: { id, userId }, body: { dueDate } }),

  /** Moves the due time of all assignments of a study an hour into the past. */
  letTimePass: (person: Person, id: string) =>
    world.inTenant(person.tenant, ({ db }) =>
      db
        .updateTable('study_assignments')
        .set({ due_at: new Date(Date.now() - 3_600_000).toISOString() })
        .where('study_id', '=', id)
        .execute(),
    ),

  complete: (person: Person, id: string, { userId }: Pick<Person, 'userId'>, notes = '') =>
    person.send(workflow.complete, { params: { id, userId }, body: { notes } }),

  /** Returns the history of a study, newest first: "STUDY_STATUS_CHANGE ASSIGNED by system". */
  events: async (person: Person, id: string) => {
    const { data } = await person.send(workflow.history, { params: { id } });
    return data.content.map(({ type, displayValue, user }) => `${type} ${displayValue} by ${user.username}`);
  },

  /** Returns the stored notifications of a user, newest first. */
  notificationsTo: ({ tenant, userId }: Person) =>
    world.inTenant(tenant, ({ db }) =>
      db
        .selectFrom('notifications')
        .select(['type', 'title', 'message', 'link'])
        .where('user_id', '=', userId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .execute(),
    ),

  audited: ({ tenant }: Person, action: string) =>
    world.inTenant(tenant, ({ db }) =>
      db
        .selectFrom('audit_entries')
        .select(['username', 'study_id', 'detail'])
        .where('action', '=', action)
        .orderBy('id')
        .execute(),
    ),
});
