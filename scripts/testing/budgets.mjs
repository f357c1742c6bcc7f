// Compares the gate and its parts with their budgets. If one exceeds its budget, CONTRIBUTING.md says what to do.
import { readFileSync } from 'node:fs';

/** CPU seconds of each part of the gate. */
const budgets = JSON.parse(readFileSync(new URL('budgets.json', import.meta.url), 'utf8'));

/** Budgets may be exceeded by half before it is reported, because slower machines need more CPU seconds. */
const tolerance = 1.5;

/** The sum of a figure over all parts. */
const sumOf = (outcomes, figure) => outcomes.reduce((sum, outcome) => sum + (figure(outcome) ?? 0), 0);

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

/** A single part fails the gate only above this many times its budget. */
const toleranceOfPart = 4;

/**
 * Says that all parts together exceed their budgets by half, or that one part exceeds its budget four times. The same
 * code took 90 to 390 CPU seconds to lint on different machines (docs/decisions/0058).
 */
export const gateOverBudget = (outcomes) => {
  const counted = outcomes.filter(({ name, cpu }) => budgets[name] !== undefined && cpu > 0);
  const budget = sumOf(counted, ({ name }) => budgets[name]);
  const cpu = sumOf(counted, (outcome) => outcome.cpu);
  const tooDear = counted.filter((outcome) => outcome.cpu > budgets[outcome.name] * toleranceOfPart);
  const say = (name, used, of) =>
    `${name}: ${Math.round(used)} CPU seconds, budget ${of} (scripts/testing/budgets.json)`;
  return [
    ...(counted.length > 1 && cpu > budget * tolerance ? [say('the gate', cpu, budget)] : []),
    ...tooDear.map((outcome) => say(outcome.name, outcome.cpu, budgets[outcome.name])),
  ];
};

const cell = (value, width) => String(value).padStart(width);
const rounded = (seconds) => (seconds === undefined ? '-' : Math.round(seconds));

/** The table at the end of a run: part, tests, CPU seconds, share, budget, wall seconds. */
export const budgetTable = (outcomes) => {
  const total = sumOf(outcomes, ({ cpu }) => cpu);
  const row = ({ name, passed, failed, cpu, wall }, budget) => {
    const share = cpu === undefined || total === 0 ? '-' : `${Math.round((100 * cpu) / total)} %`;
    const figures = [passed + failed.length, rounded(cpu), share, budget, rounded(wall)];
    return name.padEnd(18) + figures.map((figure) => cell(figure, 9)).join('');
  };
  const all = {
    name: 'all',
    passed: sumOf(outcomes, ({ passed, failed }) => passed + failed.length),
    failed: [],
    cpu: outcomes.some(({ cpu }) => cpu === undefined) ? undefined : total,
    wall: sumOf(outcomes, ({ wall }) => wall),
  };
  const budgetOfAll = sumOf(outcomes, ({ name }) => budgets[name]);
  return [
    'part'.padEnd(18) + ['tests', 'CPU s', 'share', 'budget', 'wall s'].map((head) => cell(head, 9)).join(''),
    ...outcomes.map((outcome) => row(outcome, budgets[outcome.name] ?? '-')),
    row(all, budgetOfAll || '-'),
  ].join('\n');
};
