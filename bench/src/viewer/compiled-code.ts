import type { CDPSession } from '@playwright/test';

/** The used part of a V8 heap snapshot (DevTools Protocol, HeapProfiler.takeHeapSnapshot). */
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

/** Bytes of compiled code and its metadata in a page's heap. */
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
