// Compares each part of the gate with its budget. If a part exceeds its budget, CONTRIBUTING.md says what to do.
import { readFileSync } from 'node:fs';

/** CPU seconds of each part of the gate. */
const budgets = JSON.parse(readFileSync(new URL('budgets.json', import.meta.url), 'utf8'));

/** A part may exceed its budget by half before it fails, because slower machines need more CPU seconds. */
const tolerance = 1.5;

const slowest = (files) => {
  const seconds = new Map();
  for (const file of files) seconds.set(file.file, (seconds.get(file.file) ?? 0) + file.seconds);
  return [...seconds].toSorted(([, one], [, other]) => other - one).slice(0, 10);
};

/** Lists the parts above 1.5 times their budget, each with its ten slowest files (wall time). */
export const overBudget = (outcomes) =>
  outcomes.flatMap(({ name, cpu, files }) => {
    const budget = budgets[name];
    if (budget === undefined || cpu === undefined || cpu <= budget * tolerance) return [];
    const rows = slowest(files).map(([file, seconds]) => `    ${seconds.toFixed(1).padStart(7)} s  ${file}`);
    return [
      [`${name}: ${Math.round(cpu)} CPU seconds, budget ${budget} (scripts/testing/budgets.json)`, ...rows].join('\n'),
    ];
  });

const cell = (value, width) => String(value).padStart(width);
const rounded = (seconds) => (seconds === undefined ? '-' : Math.round(seconds));

/** The table at the end of a run: part, tests, CPU seconds, share, budget, wall seconds. */
export const budgetTable = (outcomes) => {
  const total = outcomes.reduce((sum, { cpu = 0 }) => sum + cpu, 0);
  const row = ({ name, passed, failed, cpu, wall }, budget) => {
    const share = cpu === undefined || total === 0 ? '-' : `${Math.round((100 * cpu) / total)} %`;
    const figures = [passed + failed.length, rounded(cpu), share, budget, rounded(wall)];
    return name.padEnd(18) + figures.map((figure) => cell(figure, 9)).join('');
  };
  const all = {
    name: 'all',
    passed: outcomes.reduce((sum, { passed, failed }) => sum + passed + failed.length, 0),
    failed: [],
    cpu: outcomes.some(({ cpu }) => cpu === undefined) ? undefined : total,
    wall: outcomes.reduce((sum, { wall }) => sum + wall, 0),
  };
  const budgetOfAll = outcomes.reduce((sum, { name }) => sum + (budgets[name] ?? 0), 0);
  return [
    'part'.padEnd(18) + ['tests', 'CPU s', 'share', 'budget', 'wall s'].map((head) => cell(head, 9)).join(''),
    ...outcomes.map((outcome) => row(outcome, budgets[outcome.name] ?? '-')),
    row(all, budgetOfAll || '-'),
  ].join('\n');
};
