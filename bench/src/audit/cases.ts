export type Values = Record<string, string | number>;
export type Case = { name: string; ask: (turn: number) => Values };

/** IDs as in the generated entries: kind 1 is a study, 2 a patient. */
const idOf = (kind: 1 | 2, number: number) => `00000000-0000-400${kind}-8000-${String(number).padStart(12, '0')}`;
const user = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

const now = Date.now();
const daysAgo = (days: number) => new Date(now - days * 86_400_000).toISOString().slice(0, 10);
const cursorAgo = (days: number) => `${(now - days * 86_400_000) * 1000}_1`;

/** Values of each filter on the screen: a frequent value, a rare value, and a value without entries. */
const filters: Record<string, ((turn: number) => Values)[]> = {
  user: [
    (turn) => ({ user: user(1 + turn) }),
    (turn) => ({ user: user(190 + (turn % 10)) }),
    () => ({ user: user(999_999) }),
  ],
  action: [() => ({ action: 'study.view' }), () => ({ action: 'audit.search' }), () => ({ action: 'no.such' })],
  outcome: [() => ({ outcome: 'FAILURE' }), () => ({ outcome: 'SUCCESS' })],
  ip: [() => ({ ip: '198.51.100.7' }), (turn) => ({ ip: `10.0.${205 + turn}.${turn}` }), () => ({ ip: '192.0.2.1' })],
  patient: [(turn) => ({ patient: idOf(2, 1 + turn) }), () => ({ patient: idOf(2, 999_999_999) })],
  study: [(turn) => ({ study: idOf(1, 1 + turn) }), () => ({ study: idOf(1, 999_999_999) })],
  entity: [() => ({ entity: 'report' }), () => ({ entity: 'macro' })],
  days: [
    () => ({ from: daysAgo(3), to: daysAgo(2) }),
    () => ({ from: daysAgo(500), to: daysAgo(100) }),
    () => ({ from: daysAgo(2000), to: daysAgo(1500) }),
  ],
};

const caseNamed = (values: Values) =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${String(value).slice(0, 20)}`)
    .join(' ') || 'nothing';

const caseOf = (queries: readonly ((turn: number) => Values)[], more: Values = {}): Case => {
  const ask = (turn: number): Values => Object.assign({}, ...queries.map((query) => query(turn)), more);
  return { name: caseNamed(ask(0)), ask };
};

export const singles: readonly Case[] = [
  caseOf([]),
  ...Object.values(filters).flatMap((variants) => variants.map((makeValues) => caseOf([makeValues]))),
  caseOf([], { page: 399 }),
  caseOf([], { before: cursorAgo(600) }),
];

/** Every combination of filters, each left out or set to one value. */
const choices = Object.values(filters).reduce<((turn: number) => Values)[][]>(
  (sets, variants) => sets.flatMap((set) => [set, ...variants.map((makeValues) => [...set, makeValues])]),
  [[]],
);

/** All combinations of up to two filters, and every 61st of the combinations with more. */
export const combinations: readonly Case[] = choices
  .filter((set, index) => set.length <= 2 || index % 61 === 0)
  .flatMap((set) => [caseOf(set), caseOf(set, { before: cursorAgo(365) })]);
