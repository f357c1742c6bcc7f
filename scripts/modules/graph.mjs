import { modules as table } from '../../server/src/modules.ts';

const names = table.map(({ name }) => name);

/** Returns the feature of a file, the folder in a module; undefined for files outside of the modules. */
export const featureOf = (file) => {
  const [module, feature, ...rest] = file.split('/');
  return names.includes(module) && rest.length > 0 ? feature : undefined;
};

const rankIn = (modules, file) => modules.findIndex(({ name }) => file.startsWith(`${name}/`));

/** Returns the features of a module by name. */
export const featuresOf = ({ name }, files) =>
  [
    ...new Set(
      files
        .filter((file) => file.startsWith(`${name}/`))
        .map(featureOf)
        .filter((feature) => feature !== undefined),
    ),
  ].toSorted((one, other) => one.localeCompare(other, 'en'));

/** Folders whose files a feature may import, in addition to the files of features. */
const isShared = (file) => file.startsWith('core/');

/** Counts the imports between features, without those of tests. */
export const arrowsOf = (imports) => {
  const arrows = new Map();
  for (const { from, to, isTest } of imports) {
    const [one, other] = [featureOf(from), featureOf(to)];
    if (isTest || one === undefined || other === undefined || one === other) continue;
    const key = `${one} ${other}`;
    const arrow = arrows.get(key) ?? { from: one, to: other, count: 0, example: `${from} imports ${to}` };
    arrows.set(key, { ...arrow, count: arrow.count + 1 });
  }
  return [...arrows.values()];
};

/**
 * Returns a message for each folder that does not fit the table. In the table, every feature is a folder in one module.
 */
export const faultsOfFolders = (modules, files) => {
  const inModules = files.filter((file) => rankIn(modules, file) !== -1);
  const features = modules.flatMap((module) => featuresOf(module, files));
  return [
    ...files
      .filter((file) => /^[^/]+\/[^/]+\/feature\.ts$/.test(file) && !inModules.includes(file))
      .map((file) => `${file} is in no module (modules.ts)`),
    ...inModules
      .filter((file) => featureOf(file) === undefined)
      .map((file) => `${file} is in a module, but no feature`),
    ...modules
      .filter(({ name }) => !inModules.some((file) => file.startsWith(`${name}/`)))
      .map(({ name }) => `modules.ts names ${name}, which has no folder`),
    ...features.filter((name, at) => features.indexOf(name) !== at).map((name) => `${name} is in two modules`),
  ];
};

/** Returns a message for each import that runs back: into a later module, from core, or into the assembly. */
export const faultsOfImports = (modules, imports) =>
  imports
    .filter(({ isTest }) => !isTest)
    .flatMap(({ from, to }) => {
      const [rank, otherRank] = [from, to].map((file) => rankIn(modules, file));
      if (from.startsWith('core/') && !isShared(to)) return [`${from} imports ${to}: core knows no feature`];
      if (rank === -1) return [];
      if (otherRank === -1) {
        return isShared(to) ? [] : [`${from} imports ${to}: a feature does not know how the server is put together`];
      }
      if (otherRank <= rank) return [];
      const advice = 'emit an event instead (core/events/extensions.ts)';
      return [`${from} imports ${to}: ${modules[rank]?.name} does not know ${modules[otherRank]?.name}; ${advice}`];
    });

/** Files of the contract that collect all modules. */
const contractAssembly = ['all.ts', 'audit-actions.ts'];

/** Returns a message for each import of the contract that runs back. */
export const faultsOfContract = (modules, imports) => {
  const rankOf = (file) => (contractAssembly.includes(file) ? modules.length : rankIn(modules, file));
  const nameOf = (file) =>
    contractAssembly.includes(file) ? 'the collection' : (modules[rankOf(file)]?.name ?? 'the shared part');
  return imports
    .filter(({ from, to, isTest }) => !isTest && rankOf(to) > rankOf(from))
    .map(
      ({ from, to }) =>
        `contract: ${from} imports ${to}: ${nameOf(from)} does not know ${nameOf(to)}; move what both need into a lower file`,
    );
};

/** Kits of a module that its other features and later modules import. */
const kits = ['reading/editor'];

/** Returns the part of web/src to which a file belongs: a feature such as `reading/reports`, or its first folder. */
const partOf = (file) => {
  const feature = featureOf(file);
  const [first] = file.split('/');
  return feature === undefined ? first : `${first}/${feature}`;
};

/** Returns a message for each import of web/src that crosses parts upward or between features, tests included. */
export const faultsOfScreens = (modules, imports) => {
  const mayImport = (from, to) => {
    const [part, other] = [from, to].map(partOf);
    if (part === other || other === 'core') return true;
    if (part === 'core') return false;
    if (other === 'ui') return true;
    if (rankIn(modules, from) === -1) return part !== 'ui';
    return !kits.includes(part) && kits.includes(other) && rankIn(modules, to) <= rankIn(modules, from);
  };
  return imports
    .filter(({ from, to }) => !mayImport(from, to))
    .map(
      ({ from, to }) => `web: ${from} imports ${to}: ${partOf(from)} does not know ${partOf(to)}; app/ composes them`,
    );
};

/** Returns each set of features that import each other in a circle, largest first. */
export const circlesOf = (arrows) => {
  const targets = Map.groupBy(arrows, ({ from }) => from);
  const index = new Map();
  const low = new Map();
  const stack = [];
  const circles = [];
  const visit = (name) => {
    index.set(name, index.size);
    low.set(name, index.get(name));
    stack.push(name);
    for (const { to } of targets.get(name) ?? []) {
      if (!index.has(to)) visit(to);
      if (stack.includes(to)) low.set(name, Math.min(low.get(name), low.get(to)));
    }
    if (low.get(name) !== index.get(name)) return;
    const circle = stack.splice(stack.indexOf(name));
    if (circle.length > 1) circles.push(circle.toSorted((one, other) => one.localeCompare(other, 'en')));
  };
  for (const { from } of arrows) if (!index.has(from)) visit(from);
  return circles.toSorted((one, other) => other.length - one.length);
};

/** Returns a message for each circle of features, with one import of each arrow in it. */
export const faultsOfCircles = (arrows) =>
  circlesOf(arrows).map((circle) => {
    const inside = arrows.filter(({ from, to }) => circle.includes(from) && circle.includes(to));
    return [
      `${circle.join(', ')} import each other in a circle; move what they share into a lower feature, or emit an event:`,
      ...inside.map(({ example, count }) => `  ${example} (${count})`),
    ].join('\n');
  });
