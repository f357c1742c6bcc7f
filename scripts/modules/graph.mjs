import { modules as table } from '../../server/src/modules.ts';

const foldersOfFeatures = new Set(['features', ...table.map(({ name }) => name)]);

/** Returns the feature of a file of server/src; undefined for core and for files that put the server together. */
export const featureOf = (file) => {
  const [first, second, ...rest] = file.split('/');
  if (foldersOfFeatures.has(first)) return rest.length > 0 ? second : undefined;
  return first === 'archive' || first === 'dimse' ? first : undefined;
};

/** Folders whose files features may import besides features. */
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

/** Returns a message for each feature that is in no module or in two, or that is named and does not exist. */
export const faultsOfTable = (modules, folders) => {
  const named = modules.flatMap(({ features }) => features);
  return [
    ...folders.filter((folder) => !named.includes(folder)).map((folder) => `${folder} is in no module (modules.ts)`),
    ...named.filter((name) => !folders.includes(name)).map((name) => `modules.ts names ${name}, which has no folder`),
    ...named.filter((name, at) => named.indexOf(name) !== at).map((name) => `${name} is in two modules (modules.ts)`),
  ];
};

/** Returns a message for each import that runs back: into a later module, from core, or into the assembly. */
export const faultsOfImports = (modules, imports) =>
  imports
    .filter(({ isTest }) => !isTest)
    .flatMap(({ from, to }) => {
      const [one, other] = [featureOf(from), featureOf(to)];
      if (from.startsWith('core/') && !isShared(to)) return [`${from} imports ${to}: core knows no feature`];
      if (one === undefined) return [];
      if (other === undefined) {
        return isShared(to) ? [] : [`${from} imports ${to}: a feature does not know how the server is put together`];
      }
      const [rank, otherRank] = [one, other].map((name) =>
        modules.findIndex(({ features }) => features.includes(name)),
      );
      if (otherRank <= rank) return [];
      const advice = 'emit an event instead (core/events/extensions.ts)';
      return [`${from} imports ${to}: ${modules[rank]?.name} does not know ${modules[otherRank]?.name}; ${advice}`];
    });

/** Files of the contract that put it together. */
const contractAssembly = ['all.ts'];

/** Returns a message for each import of the contract that runs back, and for each file that is named and missing. */
export const faultsOfContract = (modules, imports) => {
  const rankOf = (file) => modules.findIndex(({ contract }) => contract.includes(file.replace(/\.ts$/, '')));
  const nameOf = (file) => modules[rankOf(file)]?.name ?? 'the shared part';
  return imports
    .filter(({ from, to, isTest }) => !isTest && !contractAssembly.includes(from) && rankOf(to) > rankOf(from))
    .map(
      ({ from, to }) =>
        `contract: ${from} imports ${to}: ${nameOf(from)} does not know ${nameOf(to)}; move what both need into a lower file`,
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
