// The parts of the gate (npm test) and of the long tier (npm run test:all), in the order of running.

const realDatabase = process.env.TEST_DATABASE_URL ?? '';

/** Journeys in e2e/tests with this tag run in the gate. All other journeys run in the long tier. */
const gateTag = '@gate';

const shardOf = (shard) => (shard ? [`--shard=${shard}`] : []);

/** The type checker of oxlint is a Go program. It needs a quarter less CPU time with 8 GB of memory instead of 6. */
const rarelyCollectGarbage = { GOGC: '400' };

const vitest = (name, projects, { database = '', shard, files = [] } = {}) => ({
  name,
  runner: 'vitest',
  args: [...projects.flatMap((project) => ['--project', project]), ...shardOf(shard), ...files],
  env: { TEST_DATABASE_URL: database },
});

const journeys = (name, args, database = '') => ({ name, runner: 'playwright', args, database });

/**
 * Each server test file runs once: on TEST_DATABASE_URL if it uses the database heavily, otherwise on the embedded
 * database (docs/decisions/0053). Screens run apart from the server, because a library that is loaded without a
 * `window` does not find one later.
 */
export const gate = () => [
  { name: 'format', runner: 'check', command: 'oxfmt', args: ['--check'] },
  { name: 'words', runner: 'check', command: 'node', args: ['scripts/words.mjs'] },
  // oxlint also reports compiler errors (docs/decisions/0058).
  { name: 'lint', runner: 'check', command: 'oxlint', args: [], env: rarelyCollectGarbage },
  vitest('units', ['contract', 'dicom', 'phantom', 'scripts']),
  vitest('server', ['server'], { database: realDatabase }),
  vitest('server-apart', ['server-apart']),
  vitest('screens', ['web', 'web-alone']),
  journeys('journeys', ['--grep', gateTag]),
];

/** All tests outside the gate. `shard` is "n/m": the n-th of m shares. */
export const longTier = (shard) => {
  const isFirst = !shard || shard.startsWith('1/');
  return [
    vitest('server-long', ['server-long'], { shard }),
    journeys('journeys-long', ['--grep-invert', gateTag, ...shardOf(shard)]),
    // Browser tests give the same result on every database. One walk covers most requests to the server.
    ...(realDatabase && isFirst ? [journeys('walk-on-database', ['tests/walk\\.spec'], realDatabase)] : []),
  ];
};

const folders = {
  units: {
    below: ['contract/', 'dicom/', 'phantom/', 'scripts/'],
    projects: ['contract', 'dicom', 'phantom', 'scripts'],
  },
  server: { below: ['server/'], projects: ['server', 'server-apart', 'server-long'] },
  screens: { below: ['web/'], projects: ['web', 'web-alone'] },
};

/**
 * Returns the parts that run only these files or folders, in either tier. Undefined if a file or folder belongs to no
 * part.
 */
export const partsOfFiles = (files) => {
  const known = [...Object.values(folders).flatMap(({ below }) => below), 'e2e/'];
  if (files.some((file) => !known.some((folder) => file.startsWith(folder)))) return undefined;
  const within = (below) => files.filter((file) => below.some((folder) => file.startsWith(folder)));
  const inBrowser = within(['e2e/']).map((file) => file.replace('e2e/', ''));
  return [
    ...Object.entries(folders).flatMap(([name, { below, projects }]) => {
      const mine = within(below);
      const database = name === 'server' ? realDatabase : '';
      return mine.length > 0 ? [vitest(name, projects, { files: mine, database })] : [];
    }),
    ...(inBrowser.length > 0 ? [journeys('journeys', inBrowser)] : []),
  ];
};
