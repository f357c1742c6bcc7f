import { existsSync } from 'node:fs';
import { appendFile, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { makeFolder, syncFolder } from '#core/blobs/disk/file-system.ts';
import { startPeriodicTask } from '#core/jobs/periodic-task.ts';
import type { Scopes } from '#core/access/scope.ts';

/*
 * An audit entry is written in the same transaction as the change that it records. Later it is sealed into the chain of
 * its tenant (migrations/0042_audit_chain.sql). Any server may seal, but the database allows only one at a time.
 */

const sealEveryMs = 1000;
const anchorEveryMs = 60 * 60_000;
const mostSealedAtOnce = 2000;

/** A tenant whose chain cannot be continued, and the reason. */
export type UnsealedTenant = { tenantId: number; why: string };

/** Seals all committed entries and returns how many. Reports each tenant whose chain cannot be continued. */
export const sealAudit = async (
  scopes: Scopes,
  onStuck: (stuck: UnsealedTenant) => void = () => {},
): Promise<number> => {
  let sealed = 0;
  for (;;) {
    const { rows } = await scopes.withoutTenant((db) =>
      sql<{ sealed: number; stuck: UnsealedTenant[] }>`select * from seal_audit(${mostSealedAtOnce})`.execute(db),
    );
    const [batch = { sealed: 0, stuck: [] }] = rows;
    sealed += batch.sealed;
    // If a whole portion was sealed, more entries may wait.
    if (batch.sealed >= mostSealedAtOnce) continue;
    for (const stuck of batch.stuck) onStuck(stuck);
    return sealed;
  }
};

export type Anchor = { at: string; tenantId: number; position: number; hash: string };

/** The file that stores the chain heads outside the database. It reveals rewritten entries. */
export const anchorsFile = (dataDir: string): string => join(dataDir, 'audit-anchors.ndjson');

/**
 * Renames the file of chain heads after a restore, because the restored chains end at earlier heads. Returns the new
 * path, or undefined without such a file.
 */
export const setAnchorsAside = async (dataDir: string): Promise<string | undefined> => {
  const file = anchorsFile(dataDir);
  if (!existsSync(file)) return undefined;
  const aside = join(dataDir, `audit-anchors-until-${new Date().toISOString().replaceAll(':', '-')}.ndjson`);
  await rename(file, aside);
  await syncFolder(dataDir);
  return aside;
};

export const currentAnchors = async (scopes: Scopes): Promise<Anchor[]> => {
  const at = new Date().toISOString();
  const { rows } = await scopes.withoutTenant((db) =>
    sql<{ tenant_id: number; position: number; hash: string }>`select * from audit_heads_to_anchor()`.execute(db),
  );
  return rows.map(({ tenant_id, position, hash }) => ({ at, tenantId: tenant_id, position, hash }));
};

const endsLine = async (file: string): Promise<boolean> => {
  const handle = await open(file, 'a+', 0o600);
  try {
    const { size } = await handle.stat();
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
    return size === 0 || buffer.toString() === '\n';
  } finally {
    await handle.close();
  }
};

/** Appends the chain heads that changed since `last` to the file, and updates `last`. */
export const anchorAudit = async (scopes: Scopes, dataDir: string, last = new Map<number, number>()): Promise<void> => {
  const moved = (await currentAnchors(scopes)).filter(({ tenantId, position }) => last.get(tenantId) !== position);
  if (moved.length === 0) return;
  const file = anchorsFile(dataDir);
  await makeFolder(dataDir);
  const lines = moved.map((anchor) => `${JSON.stringify(anchor)}\n`).join('');
  // Starts on a new line, because a crash may have cut off the previous line.
  await appendFile(file, (await endsLine(file)) ? lines : `\n${lines}`, { mode: 0o600, flush: true });
  await syncFolder(dataDir);
  for (const { tenantId, position } of moved) last.set(tenantId, position);
};

type Options = { scopes: Scopes; dataDir: string; onError: (error: unknown) => void };

/**
 * Seals every second, and writes the chain heads to the file every hour. The returned function stops both after one
 * last run.
 */
export const startAuditChain = ({ scopes, dataDir, onError }: Options): (() => Promise<void>) => {
  const anchored = new Map<number, number>();
  const reportedTenants = new Set<number>();
  // Reports each tenant only once, although the failure repeats every second.
  const reportOnce = ({ tenantId, why }: UnsealedTenant) => {
    if (!reportedTenants.has(tenantId))
      onError(new Error(`The audit chain of tenant ${tenantId} cannot continue: ${why}`));
    reportedTenants.add(tenantId);
  };
  const seal = async () => {
    await sealAudit(scopes, reportOnce);
  };
  const anchor = () => anchorAudit(scopes, dataDir, anchored);
  const stopSealing = startPeriodicTask({ everyMs: sealEveryMs, runOnce: seal, onError });
  const stopAnchoring = startPeriodicTask({ everyMs: anchorEveryMs, runOnce: anchor, onError });
  return async () => {
    await stopSealing();
    await stopAnchoring();
    await seal().then(anchor).catch(onError);
  };
};
