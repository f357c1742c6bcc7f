import type { CDPSession } from '@playwright/test';

/** The part that is needed here of a heap snapshot of V8 (DevTools Protocol, HeapProfiler.takeHeapSnapshot). */
type Snapshot = {
  snapshot: { meta: { node_fields: string[]; node_types: [string[]] } };
  nodes: number[];
};

const snapshotOf = async (session: CDPSession): Promise<Snapshot> => {
  const chunks: string[] = [];
  const onChunk = ({ chunk }: { chunk: string }) => void chunks.push(chunk);
  session.on('HeapProfiler.addHeapSnapshotChunk', onChunk);
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  session.off('HeapProfiler.addHeapSnapshotChunk', onChunk);
  return JSON.parse(chunks.join(''));
};

/** How many bytes of a page's heap are code that the browser has compiled, and what it has learned for that. */
export const compiledCode = async (session: CDPSession): Promise<number> => {
  const { snapshot, nodes } = await snapshotOf(session);
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const [type, size, code] = [fields.indexOf('type'), fields.indexOf('self_size'), types[0].indexOf('code')];
  let bytes = 0;
  for (let at = 0; at < nodes.length; at += fields.length) {
    if (nodes[at + type] === code) bytes += nodes[at + size] ?? 0;
  }
  return bytes;
};
