// Prints our regular expressions with the longest time that each takes for 100 kB, slowest first.
import { ownExpressions, worstTime } from '#test/regular-expressions.ts';

const [length, bound] = [100_000, 50];
const { written } = ownExpressions();
const places = Map.groupBy(written, ({ pattern }) => String(pattern));
const rows = [...places.values()].flatMap((same) => {
  const [first] = same;
  if (!first) return [];
  const where = same.map(({ file, line }) => `${file}:${line}`).join(', ');
  return [{ where, pattern: String(first.pattern), ...worstTime(first.pattern, length, bound) }];
});

for (const { where, pattern, milliseconds, text } of rows.toSorted((a, b) => b.milliseconds - a.milliseconds)) {
  const cells = [`${milliseconds.toFixed(2)} ms`, where, pattern.slice(0, 100), JSON.stringify(text)];
  process.stdout.write(`${cells.join('  ')}\n`);
}
