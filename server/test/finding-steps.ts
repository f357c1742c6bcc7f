import { type CriticalFinding, criticalFindings } from '@radwork/contract/reading/critical-findings';
import { reports } from '@radwork/contract/reading/reports';
import { sql } from 'kysely';
import { orNotFound } from '#core/http/problem.ts';
import type { Person, World } from './world.ts';

/** Steps about critical findings, over HTTP. */
export const findingSteps = (world: World) => ({
  /** Adds a finding to a report and returns it as its study shows it. */
  add: async (person: Person, reportId: string, severity = 'CRITICAL', finding = 'Tension pneumothorax') => {
    const { data: report } = await person.send(reports.addCriticalFinding, {
      params: { id: reportId },
      body: { finding, severity },
    });
    const newest = report.criticalFindings.at(-1);
    const { data } = await person.send(criticalFindings.get, { params: { id: orNotFound(newest, 'finding').id } });
    return data;
  },

  communicate: (person: Person, id: string, body: object) =>
    person.send(criticalFindings.communicate, { params: { id }, body }),

  acknowledge: (person: Person, id: string) => person.send(criticalFindings.acknowledge, { params: { id } }),

  withdraw: (person: Person, id: string, reason = 'Recorded by mistake') =>
    person.send(criticalFindings.withdraw, { params: { id }, body: { reason } }),

  board: async (person: Person, query: Record<string, string | number> = {}): Promise<CriticalFinding[]> =>
    (await person.send(criticalFindings.list, { query })).data.content,

  /** Moves a finding and its time limits some minutes into the past. */
  passMinutes: (person: Person, id: string, minutes: number) =>
    sql`update critical_findings set
          identified_at = identified_at - make_interval(mins => ${minutes}),
          clock_started_at = clock_started_at - make_interval(mins => ${minutes}),
          due_at = due_at - make_interval(mins => ${minutes}),
          escalate_at = escalate_at - make_interval(mins => ${minutes})
        where id = ${id} and tenant_id = ${person.tenant.id}`.execute(world.owner),
});
