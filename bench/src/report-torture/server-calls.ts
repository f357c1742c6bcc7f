import { randomUUID } from 'node:crypto';
import { autosaveForm, autosave, reportAutosaves } from '@radwork/contract/reading/report-autosaves';
import { report, reportHistoryEntry, reportOfStudy, reports } from '@radwork/contract/reading/reports';
import type { Endpoint } from '@radwork/contract/core/endpoint';
import { z } from 'zod';
import { password } from '../torture/tenant.ts';

/** An answer of the server. `status` 0 means no answer, so the outcome is unknown. */
export type Answer<T = unknown> = { status: number; data?: T };

/** The calls of a writer, to the address of the server's last start. */
export type ServerCalls = ReturnType<typeof createServerCalls>;

type Words = Pick<z.input<typeof autosaveForm>, 'content' | 'baseRevision' | 'reportId' | 'patientId'>;

export const createServerCalls = (address: () => string, token: string) => {
  const call = async <T>(
    { method, path }: Pick<Endpoint, 'method' | 'path'>,
    reply: z.ZodType<T>,
    { id, version = 0, body }: { id: string; version?: number; body?: object },
  ): Promise<Answer<T>> => {
    try {
      const response = await fetch(`${address()}/api${path.replace(':id', id).replace(':version', String(version))}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      const answer = z.object({ data: z.unknown().optional(), message: z.string() }).parse(await response.json());
      return response.ok ? { status: response.status, data: reply.parse(answer.data) } : { status: response.status };
    } catch (error) {
      // A broken connection is expected here. An answer that violates the contract is an error.
      if (error instanceof z.ZodError) throw error;
      return { status: 0 };
    }
  };

  return {
    ofStudy: (studyId: string) => call(reports.ofStudy, reportOfStudy, { id: studyId }),
    report: (id: string) => call(reports.get, report, { id }),
    version: (id: string, version: number) =>
      call(reports.version, reportHistoryEntry.extend({ content: z.string() }), { id, version }),
    begin: (studyId: string, patientId: string, content: string, keptTextId: string | undefined) =>
      call(reports.create, report, { id: studyId, body: { patientId, content, keptTextId } }),
    save: (id: string, content: string, revision: number, keptTextId: string | undefined) =>
      call(reports.save, report, { id, body: { content, revision, keptTextId } }),
    finalize: (id: string, content: string, revision: number, signatureData: string) =>
      call(reports.finalize, report, { id, body: { content, revision, signatureData, password } }),
    keptTexts: (studyId: string) => call(reportAutosaves.find, z.array(autosave), { id: studyId }),
    keep: (studyId: string, words: Words, replaces: string | null) =>
      call(reportAutosaves.keep, z.object({ id: z.string() }), {
        id: studyId,
        body: {
          ...words,
          id: randomUUID(),
          replaces,
          hasCriticalFindings: false,
          criticalFindingsDetails: '',
        } satisfies z.input<typeof autosaveForm>,
      }),
  };
};
