/** Milliseconds without new images after which a study is due. Its middle image then seldom changes. */
const usualQuiet = 10_000;
/** Milliseconds for which a study waits for a quiet server. Later, its thumbnails are rendered on demand. */
const longestWait = 10 * 60_000;
const mostStudies = 1000;

type Waiting = { tenantId: number; studyId: string; due: number };

/**
 * Collects studies that got images, until they are due. Tenants take turns. When too many studies wait, drops the
 * oldest one of the tenant with the most. `quiet` and `now` are milliseconds.
 */
export const createWaitingStudies = ({ quiet = usualQuiet, most = mostStudies, now = Date.now } = {}) => {
  /** By tenant, in the order of the last arrival. The tenant that waits longest for a turn comes first. */
  const tenants = new Map<number, Map<string, Waiting>>();
  let count = 0;

  const remove = ({ tenantId, studyId }: Waiting) => {
    const studies = tenants.get(tenantId);
    if (!studies?.delete(studyId)) return;
    count -= 1;
    if (studies.size === 0) tenants.delete(tenantId);
  };

  const dropOne = () => {
    const [largest] = [...tenants.values()].toSorted((one, other) => other.size - one.size);
    const [oldest] = largest?.values() ?? [];
    if (oldest) remove(oldest);
  };

  return {
    add: (tenantId: number, studyIds: readonly string[]): void => {
      const due = now() + quiet;
      for (const studyId of studyIds) {
        remove({ tenantId, studyId, due });
        const studies = tenants.get(tenantId) ?? new Map();
        tenants.set(tenantId, studies.set(studyId, { tenantId, studyId, due }));
        count += 1;
        if (count > most) dropOne();
      }
    },

    size: (): number => count,

    /** Returns and removes the next study that is due. Drops studies that have waited too long. */
    take: (): Pick<Waiting, 'tenantId' | 'studyId'> | undefined => {
      const time = now();
      for (const studies of tenants.values()) {
        for (const waiting of studies.values()) {
          if (waiting.due > time) break;
          remove(waiting);
          if (waiting.due + longestWait < time) continue;
          const others = tenants.get(waiting.tenantId);
          tenants.delete(waiting.tenantId);
          if (others) tenants.set(waiting.tenantId, others);
          return { tenantId: waiting.tenantId, studyId: waiting.studyId };
        }
      }
      return undefined;
    },
  };
};
