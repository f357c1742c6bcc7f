import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import { readHeader } from '@radwork/dicom/header';
import { ctVolume } from '@radwork/phantom/studies';
import { startServer } from '../server.ts';
import { countOpenings } from './openings.ts';
import { timeOpening, timeScrolling, timeVolume } from './page-times.ts';
import { ohif, ours, type Viewer } from './compared-viewers.ts';

/**
 * Measures the time to the first image, to a whole stack and to a volume, and the smoothness of scrolling. Compares our
 * viewer and OHIF's published build (OHIF_DIST) in turn. Both use the production build, the same server and study, and
 * an empty browser cache.
 */
const { values: args } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    slices: { type: 'string', default: '300' },
    size: { type: 'string', default: '512' },
    only: { type: 'string', default: 'stack,volume,scroll' },
    openings: { type: 'string', default: '20' },
    studies: { type: 'string', default: '10' },
    chromium: { type: 'string', default: '/usr/bin/chromium' },
  },
});
const build = process.env['OHIF_DIST'];
if (!build) throw new Error('OHIF_DIST names no build of OHIF: .ci/run fetches one');
const slices = Number(args.slices);
const rounds = Number(args.rounds);

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN;

const compare = async (
  viewers: readonly [Viewer, Viewer],
  what: string,
  measure: (viewer: Viewer) => Promise<Record<string, number>>,
) => {
  const timings = viewers.map((): Record<string, number>[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [at, viewer] of viewers.entries()) timings[at]?.push(await measure(viewer));
  }
  for (const figure of Object.keys(timings[0]?.[0] ?? {})) {
    const [mine = 0, theirs = 0] = timings.map((all) => median(all.map((one) => one[figure] ?? Number.NaN)));
    const names = `${viewers[0].name} ${mine.toFixed(0)} ms, ${viewers[1].name} ${theirs.toFixed(0)} ms`;
    console.log(`${what}, ${figure}: ${names}, ratio ${(mine / theirs).toFixed(2)}`);
  }
};

const server = await startServer();
const browser = await chromium.launch({
  executablePath: args.chromium,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--disable-background-networking',
    '--disable-component-update',
    '--use-angle=swiftshader',
    '--enable-unsafe-swiftshader',
  ],
});
try {
  const person = {
    PatientName: 'Bench^Bea',
    PatientID: 'BENCH-V',
    PatientBirthDate: '19610203',
    PatientSex: 'F',
  } as const;
  const studyOf = (seed: string) => [
    ...ctVolume({
      seed,
      patient: person,
      studyDate: '20261112',
      accessionNumber: 'BENCH-V',
      slices,
      size: Number(args.size),
    }),
  ];
  const isSelected = (name: string) => args.only.split(',').includes(name);
  const files = studyOf('viewer');
  const others = isSelected('openings')
    ? Array.from({ length: Number(args.studies) - 1 }, (_, at) => studyOf(`viewer ${at}`))
    : [];
  const uidOf = ([first]: typeof files) => (first ? readHeader(first.bytes).studyInstanceUID : '');
  const studyUid = uidOf(files);
  const viewers = [
    await ours(browser, server, [...files, ...others.flat()]),
    await ohif(browser, server, build),
  ] as const;

  if (isSelected('stack')) {
    await compare(viewers, `a stack of ${slices}`, (one) => timeOpening(one, one.stack(studyUid), slices));
  }
  if (isSelected('volume')) {
    await compare(viewers, `a volume of ${slices}`, (one) => timeVolume(one, one.volume(studyUid), slices));
  }
  if (isSelected('scroll')) {
    await compare(viewers, 'scrolling', async (one) => {
      const times = await timeScrolling(one, one.stack(studyUid), slices);
      return { 'median frame': median(times), pictures: times.length };
    });
  }
  if (isSelected('openings')) {
    console.log('one study, again and again');
    await countOpenings(viewers[0], [studyUid], { times: Number(args.openings), slices });
    console.log(`${args.studies} studies in turn`);
    await countOpenings(viewers[0], [files, ...others].map(uidOf), { times: 1, slices });
  }
  await Promise.all(viewers.map(({ stop }) => stop()));
} finally {
  await browser.close();
  await server.stop();
}
