import { arrowsOf, featuresOf } from './graph.mjs';

const nodeId = (name) => name.replaceAll('-', '_');

const flowchart = (lines) => ['```mermaid', 'flowchart BT', ...lines.map((line) => `  ${line}`), '```'].join('\n');

const arrowLine = ({ from, to, count }) => `${nodeId(from)} -->|${count}| ${nodeId(to)}`;

const byName = (one, other) => one.from.localeCompare(other.from, 'en') || one.to.localeCompare(other.to, 'en');

/** Adds up the arrows between features to arrows between modules. */
const arrowsOfModules = (modules, arrows) => {
  const moduleOf = (feature) => modules.find(({ features }) => features.includes(feature))?.name;
  const sums = new Map();
  for (const { from, to, count } of arrows) {
    const [one, other] = [moduleOf(from), moduleOf(to)];
    if (one === undefined || other === undefined || one === other) continue;
    const key = `${one} ${other}`;
    sums.set(key, { from: one, to: other, count: (sums.get(key)?.count ?? 0) + count });
  }
  return [...sums.values()];
};

const isBack = (modules, { from, to }) => {
  const rank = (name) => modules.findIndex((module) => module.name === name);
  return rank(to) > rank(from);
};

const featureSection = ({ name, holds, features }, arrows) => {
  const inside = arrows.filter(({ from, to }) => features.includes(from) && features.includes(to)).toSorted(byName);
  const joined = features.filter((feature) => inside.some(({ from, to }) => from === feature || to === feature));
  const alone = features.filter((feature) => !joined.includes(feature));
  return [
    `## ${name}`,
    `${holds}.`,
    ...(alone.length > 0
      ? [`Without an arrow inside the module: ${alone.map((one) => `\`${one}\``).join(', ')}.`]
      : []),
    ...(inside.length > 0
      ? [flowchart([...joined.map((one) => `${nodeId(one)}["${one}"]`), ...inside.map(arrowLine)])]
      : []),
  ];
};

/** Draws modules and features as a Markdown page with Mermaid diagrams. */
export const drawing = (table, imports, files) => {
  const modules = table.map((module) => ({ ...module, features: featuresOf(module, files) }));
  const arrows = arrowsOf(imports);
  const between = arrowsOfModules(modules, arrows).toSorted(byName);
  const back = between.filter((arrow) => isBack(modules, arrow)).reduce((sum, { count }) => sum + count, 0);
  const total = arrows.reduce((sum, { count }) => sum + count, 0);
  return `${[
    '# Modules of the server',
    'Drawn from the imports by `npm run graph`. A number counts imports; tests are left out. Their order is in `server/src/modules.ts`, the reasons are in [0067](../decisions/0067-modules-import-one-way.md).',
    `${modules.flatMap(({ features }) => features).length} features, ${arrows.length} arrows, ${total} imports, ${back} of them back.`,
    flowchart([
      ...modules.map(({ name, features }) => `${nodeId(name)}["${name}<br/>${features.length} features"]`),
      ...between.map(arrowLine),
    ]),
    ...modules.flatMap((module) => featureSection(module, arrows)),
  ].join('\n\n')}\n`;
};
