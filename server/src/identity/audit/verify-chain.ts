import { t } from '@radwork/contract/core/translate';
import { createReadStream, existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import {
  type AuditFault,
  type AuditVerdict,
  maxReportedFaults,
  type VerifyProgress,
} from '@radwork/contract/identity/audit';
import { sql } from 'kysely';
import { audit } from '#core/audit/audit.ts';
import { type Anchor, anchorsFile } from '#core/audit/audit-chain.ts';
import type { Scopes, Session } from '#core/access/scope.ts';

/** Maximum number of links, or of entries, that one transaction reads. */
const mostInBatch = 10_000;

type Kind = AuditFault['kind'];
type ChainFault = { kind: Kind; position: number | null; entryId: string | null };
type Head = { position: number; hash: string };

const wordsOf: Record<Kind, () => string> = {
  CHANGED: () => t`The entry was changed, or swapped with another entry`,
  REMOVED: () => t`The entry was deleted`,
  MISSING: () => t`Earlier links of the chain were deleted`,
  TIME: () => t`The time of the entry differs from the time of writing`,
  CUT: () => t`The end of the chain was cut off here`,
  HEAD: () => t`The head of the chain does not match its last link`,
  OUTSIDE: () => t`The entry was inserted outside the chain`,
  UNSEALED: () => t`The entry has waited more than 1 minute to enter the chain. Check that the server is running`,
  ANCHOR: () => t`The chain does not match the head stored outside the database. The chain was rewritten`,
};

type Tally = { checked: number; anchors: number; count: number; reported: ChainFault[]; last: Head };

const reportFaults = (tally: Tally, faults: readonly ChainFault[]) => {
  tally.count += faults.length;
  tally.reported.push(...faults.slice(0, maxReportedFaults - tally.reported.length));
};

/**
 * Verifies the whole audit log of a tenant, and yields the progress after each batch. Between batches, no transaction
 * is open and nothing stays in memory. The result is written to the audit log.
 */
export async function* verifyChain(
  scopes: Scopes,
  session: Session,
  dataDir: string,
  batch = mostInBatch,
): AsyncGenerator<VerifyProgress, AuditVerdict> {
  const tally: Tally = { checked: 0, anchors: 0, count: 0, reported: [], last: { position: 0, hash: '' } };
  // The chain contains all entries. A caller who does not see some of them must not take them for deleted.
  const whole: Session = { ...session, studyGroups: null };
  yield* verifyLinks(scopes, whole, tally, batch);
  yield* findOutsiders(scopes, whole, tally, batch);
  await compareAnchors(scopes, whole, dataDir, tally);
  const verdict = verdictOf(tally);
  const [first] = byPosition(verdict.faults);
  await scopes.inTenant(session, (scope) =>
    audit(scope, 'audit.verify', {
      entity: 'audit',
      outcome: verdict.isIntact ? 'SUCCESS' : 'FAILURE',
      detail: { checked: tally.checked, faults: tally.count, ...(first && { position: first.position ?? 0 }) },
    }),
  );
  return verdict;
}

type CheckedRows = {
  last_place: number | null;
  last_hash: string | null;
  checked: number;
  faults: ChainFault[];
  head: number | null;
  head_hash: string | null;
};

async function* verifyLinks(
  scopes: Scopes,
  session: Session,
  tally: Tally,
  batch: number,
): AsyncGenerator<VerifyProgress> {
  for (;;) {
    // One statement reads links and head, so that both are of the same moment.
    const { rows } = await scopes.reading(session, ({ db }) =>
      sql<CheckedRows>`
        select c.*, h.position as head, encode(h.hash, 'hex') as head_hash
        from check_audit_chain(${tally.last.position}, ${batch}) c left join audit_heads h on true`.execute(db),
    );
    const [part] = rows;
    if (!part) return;
    tally.checked += part.checked;
    reportFaults(tally, part.faults);
    if (part.last_place !== null) tally.last = { position: part.last_place, hash: part.last_hash ?? '' };
    yield { stage: 'CHAIN', checked: tally.checked, of: Math.max(part.head ?? 0, tally.checked) };
    if (part.checked >= batch) continue;
    return compareHead(tally, { position: part.head ?? 0, hash: part.head_hash ?? '' });
  }
}

const compareHead = (tally: Tally, head: Head) => {
  const { position, hash } = tally.last;
  if (head.position > position) return reportFaults(tally, [{ kind: 'CUT', position: position + 1, entryId: null }]);
  if (head.position < position || head.hash !== hash) reportFaults(tally, [{ kind: 'HEAD', position, entryId: null }]);
};

const lowestId = String(-(2n ** 63n));

/**
 * Finds entries that are neither in the chain nor waiting for it, and entries that have waited for more than a minute.
 */
async function* findOutsiders(
  scopes: Scopes,
  session: Session,
  tally: Tally,
  batch: number,
): AsyncGenerator<VerifyProgress> {
  let looked = 0;
  // Starts at the lowest possible id. A forged id may have any value: below all real ids, or too large for an exact
  // JavaScript number.
  for (let after: string | null = lowestId; after !== null;) {
    const from: string = after;
    const { rows } = await scopes.reading(session, ({ db }) =>
      sql<{ last: string | null; count: number; outside: string[] }>`
        with part as (select id from audit_entries where id > ${from}::bigint order by id limit ${batch})
        select (select max(id)::text from part) as last, (select count(*) from part)::int as count, array(
          select id::text from part p
          where not exists (select from audit_chain c where c.entry_id = p.id and c.position > 0)
            and not exists (select from audit_unsealed q where q.entry_id = p.id) order by id) as outside`.execute(db),
    );
    reportFaults(
      tally,
      (rows[0]?.outside ?? []).map((entryId) => ({ kind: 'OUTSIDE', position: null, entryId })),
    );
    after = rows[0]?.last ?? null;
    looked += rows[0]?.count ?? 0;
    if (after !== null) yield { stage: 'ENTRIES', checked: looked, of: Math.max(tally.checked, looked) };
  }
  const late = await scopes.reading(session, ({ db }) =>
    db
      .selectFrom('audit_unsealed')
      .select('entry_id')
      .where('written_at', '<', sql<string>`clock_timestamp() - interval '1 minute'`)
      .orderBy('entry_id')
      .limit(batch)
      .execute(),
  );
  reportFaults(
    tally,
    late.map(({ entry_id }) => ({ kind: 'UNSEALED', position: null, entryId: String(entry_id) })),
  );
}

const anchorsAtOnce = 500;

/** Compares the chain with the heads that are stored outside the database. */
const compareAnchors = async (scopes: Scopes, session: Session, dataDir: string, tally: Tally) => {
  let some: Anchor[] = [];
  const compare = async () => {
    if (some.length > 0) reportFaults(tally, await anchorFaults(scopes, session, some));
    tally.anchors += some.length;
    some = [];
  };
  for await (const anchor of readAnchors(anchorsFile(dataDir))) {
    if (anchor.tenantId !== session.tenantId) continue;
    some.push(anchor);
    if (some.length === anchorsAtOnce) await compare();
  }
  await compare();
};

const anchorFaults = async (scopes: Scopes, session: Session, anchors: readonly Anchor[]): Promise<ChainFault[]> => {
  const links = await scopes.reading(session, ({ db }) =>
    db
      .selectFrom('audit_chain')
      .select(['position', sql<string>`encode(hash, 'hex')`.as('hash')])
      .where('position', 'in', [...new Set(anchors.map(({ position }) => position))])
      .execute(),
  );
  const hashes = new Map(links.map(({ position, hash }) => [position, hash]));
  return anchors
    .filter(({ position, hash }) => hashes.get(position) !== hash)
    .map(({ position }) => ({ kind: 'ANCHOR', position, entryId: null }));
};

async function* readAnchors(file: string): AsyncGenerator<Anchor> {
  if (!existsSync(file)) return;
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    const anchor = anchorIn(line);
    if (anchor) yield anchor;
  }
}

/** Parses an anchor. Undefined for a line that a crash cut off. */
const anchorIn = (line: string): Anchor | undefined => {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
};

const byPosition = <T extends { position: number | null }>(faults: readonly T[]): T[] =>
  faults
    .filter(({ position }) => position !== null)
    .toSorted((one, other) => (one.position ?? 0) - (other.position ?? 0));

const verdictOf = ({ checked, anchors, count, reported, last }: Tally): AuditVerdict => {
  const faults = reported.map((fault) => ({ ...fault, words: wordsOf[fault.kind]() }));
  const isIntact = count === 0;
  return {
    isIntact,
    words: verdictWords(checked, count, faults),
    checked,
    anchors,
    faultCount: count,
    faults,
    head: { position: last.position, seal: last.hash },
  };
};

const number = new Intl.NumberFormat('en');

const verdictWords = (checked: number, count: number, faults: readonly AuditFault[]): string => {
  const [faultCount, entries] = [number.format(count), number.format(checked)];
  if (count === 0) return t`The audit log is intact. Entries verified: ${entries}.`;
  const first = byPosition(faults)[0] ?? faults[0];
  const where = first?.position ? t`at position ${number.format(first.position)}` : t`at entry ${first?.entryId ?? ''}`;
  const fault = first?.words ?? '';
  return count === 1
    ? t`1 fault found in ${entries} entries, ${where}. ${fault}.`
    : t`${faultCount} faults found in ${entries} entries. The first is ${where}. ${fault}.`;
};

/** Verifies the whole chain in batches of `batch` links and entries. Calls `watch` with the progress. */
export const verifyWholeChain = async (
  scopes: Scopes,
  session: Session,
  dataDir: string,
  watch: (progress: VerifyProgress) => void = () => {},
  batch?: number,
): Promise<AuditVerdict> => {
  const steps = verifyChain(scopes, session, dataDir, batch);
  for (;;) {
    const step = await steps.next();
    if (step.done) return step.value;
    watch(step.value);
  }
};
