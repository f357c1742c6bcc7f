import type { CDPSession, Page } from '@playwright/test';
import { contextsInUse, keepContexts } from '../../../e2e/src/viewer-steps.ts';
import { compiledCode } from './compiled-code.ts';
import type { Viewer } from './compared-viewers.ts';

const perMegabyte = 1_000_000;

/** Number of openings between two measurements of the page's memory. */
const openingsPerSample = 5;

/**
 * The state of a page after garbage collection: graphics contexts, nodes (including detached nodes), and memory in MB
 * (10^6 bytes). The memory is that of objects, of compiled code among them, and of buffers.
 */
type MemoryUse = { contexts: number; nodes: number; objects: number; code: number; buffers: number };

const heapOf = async (page: Page, session: CDPSession): Promise<MemoryUse> => {
  // Collects garbage twice, because the objects freed first may have held other objects.
  for (let times = 0; times < 2; times += 1) await session.send('HeapProfiler.collectGarbage');
  const { usedSize, backingStorageSize } = await session.send('Runtime.getHeapUsage');
  const { nodes } = await session.send('Memory.getDOMCounters');
  return {
    contexts: await contextsInUse(page),
    nodes,
    objects: usedSize / perMegabyte,
    code: (await compiledCode(session)) / perMegabyte,
    buffers: backingStorageSize / perMegabyte,
  };
};

const megabytes = (value: number) => `${value.toFixed(1)} MB`;

const printMemory = (openings: number, { contexts, nodes, objects, code, buffers }: MemoryUse) =>
  console.log(
    `after ${openings} openings: ${contexts} contexts, ${nodes} nodes, ${megabytes(objects)} of objects, ` +
      `of which ${megabytes(code)} compiled code, ${megabytes(buffers)} of buffers`,
  );

/**
 * Separates two causes of growth: code that the browser compiles at first use, and memory that the page does not free.
 */
const compare = (memoryByOpenings: ReadonlyMap<number, MemoryUse>) => {
  const last = Math.max(...memoryByOpenings.keys());
  const end = memoryByOpenings.get(last);
  for (const [openings, then] of memoryByOpenings) {
    if (!end || (openings !== 1 && openings !== openingsPerSample) || openings === last) continue;
    const all = end.objects / then.objects;
    const withoutCode = (end.objects - end.code) / (then.objects - then.code);
    const memory = (end.objects + end.buffers) / (then.objects + then.buffers);
    console.log(
      `memory (objects and buffers) after ${last} openings to that after ${openings}: ${memory.toFixed(2)} (at most 1.20 ` +
        `is wanted); objects alone ${all.toFixed(2)}, without compiled code ${withoutCode.toFixed(2)}`,
    );
  }
};

/** Opens a study, waits until it is completely loaded, and leaves. */
const openAndLeave = async (page: Page, address: string, slices: number) => {
  // The application listens to its history, so this works like a link.
  await page.evaluate((path) => window.history.pushState(null, '', path), new URL(address).pathname);
  await page.getByTestId('image-number').waitFor();
  await page.getByTitle(`${slices} of ${slices} loaded`).first().waitFor({ state: 'attached', timeout: 120_000 });
  await page.goBack();
  await page.waitForURL(/\/dashboard/);
  await page.waitForTimeout(1000);
};

/**
 * Opens studies in turn in one page, each `times` times. Prints the memory after the first and each fifth opening. Also
 * prints the ratio of the last memory to that after the first and the fifth opening. A browser allows sixteen contexts,
 * and a closed study must free its memory.
 */
export const countOpenings = async (
  viewer: Viewer,
  studyUids: readonly string[],
  { times, slices }: { times: number; slices: number },
) => {
  const context = await viewer.open();
  try {
    const page = await context.newPage();
    await keepContexts(page);
    const session = await context.newCDPSession(page);
    await page.goto(new URL('/dashboard', viewer.stack('')).href);
    const samples = new Map<number, MemoryUse>();
    const addresses = studyUids.flatMap((studyUid) => Array.from({ length: times }, () => viewer.stack(studyUid)));
    for (const [at, address] of addresses.entries()) {
      await openAndLeave(page, address, slices);
      const openings = at + 1;
      if (openings !== 1 && openings % openingsPerSample !== 0) continue;
      const now = await heapOf(page, session);
      samples.set(openings, now);
      printMemory(openings, now);
    }
    compare(samples);
  } finally {
    await context.close();
  }
};
