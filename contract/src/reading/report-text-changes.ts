import { translated } from '../core/translate.ts';

/** Changes that can reverse the meaning of a report. */
export const criticalChanges = ['LATERALITY', 'NEGATION', 'NUMBER'] as const;
export type CriticalChange = (typeof criticalChanges)[number];

export const criticalChangeLabels: Record<CriticalChange, string> = translated({
  LATERALITY: 'Laterality',
  NEGATION: 'Negation',
  NUMBER: 'Numbers',
});

/** Number of words that differ between two texts, and the critical kinds among the differences. */
export type TextChanges = { added: number; removed: number; critical: CriticalChange[] };

/** Largest table of the comparison, in cells. Longer texts that differ count as changed completely. */
const mostCells = 1_000_000;

/** Terms of the languages of reports (`reportLanguages`). They are whole words, compared in lower case. */
const sides = new Set(
  `left right bilateral bilaterally both unilateral lul lll rul rml rll
  links rechts linke linken linker linkes rechte rechten rechter rechtes beidseits beidseitig bilaterale
  gauche gauches droit droite droits droites bilatéral bilatérale izquierdo izquierda derecho derecha
  sinistro sinistra destro destra esquerdo esquerda direito direita 左 右 左侧 右侧 双侧 双`.split(/\s+/),
);
const negations = new Set(
  `no not none without never neither nor absent absence negative excluded exclude excludes resolved free unlikely cannot
  kein keine keinen keiner keinem nicht ohne ausgeschlossen pas sans aucun aucune ni absence sin ningún ninguna
  ausencia non senza nessun nessuna assenza não sem nenhum nenhuma ausência 无 未 未见 没有 不`.split(/\s+/),
);
const units = new Set('mm cm ml cc hu mg mgy gy suv kg'.split(' '));

const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

/** Splits a text into words and numbers, without punctuation and spaces. */
const wordsIn = (text: string): string[] =>
  Array.from(segmenter.segment(text)).flatMap(({ segment, isWordLike }) => (isWordLike ? [segment] : []));

/** Counts the words by which two visible texts differ, and names the critical kinds among the differences. */
export const textChanges = (before: string, after: string): TextChanges => {
  const hunks = differences(wordsIn(before), wordsIn(after));
  return {
    added: hunks.reduce((sum, { added }) => sum + added.length, 0),
    removed: hunks.reduce((sum, { removed }) => sum + removed.length, 0),
    critical: criticalChanges.filter((kind) => hunks.some((hunk) => isCritical(kind, hunk))),
  };
};

type Hunk = { removed: string[]; added: string[] };

const isOfKind: Record<CriticalChange, (word: string) => boolean> = {
  LATERALITY: (word) => sides.has(word),
  NEGATION: (word) => negations.has(word) || word.endsWith("n't") || word.endsWith('n’t'),
  NUMBER: (word) => /\p{N}/u.test(word) || units.has(word),
};

/** Whether the words of a kind differ within one difference. Words that only moved within it do not count. */
const isCritical = (kind: CriticalChange, { removed, added }: Hunk): boolean => {
  const ofKind = (words: readonly string[]) =>
    words
      .map((word) => word.toLowerCase())
      .filter(isOfKind[kind])
      .toSorted()
      .join(' ');
  return ofKind(removed) !== ofKind(added);
};

/** Returns the differences of two lists of words, by their longest common subsequence. */
const differences = (before: readonly string[], after: readonly string[]): Hunk[] => {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  const room = Math.min(before.length, after.length) - start;
  while (end < room && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const [removed, added] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  if (removed.length === 0 && added.length === 0) return [];
  if ((removed.length + 1) * (added.length + 1) > mostCells) return [{ removed, added }];
  return hunksOf(removed, added);
};

const hunksOf = (before: readonly string[], after: readonly string[]): Hunk[] => {
  const width = after.length + 1;
  /** Length of the longest common subsequence of the words from each pair of positions. */
  const common = new Uint16Array((before.length + 1) * width);
  for (let row = before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      const isSame = before[row] === after[column];
      const [below, right] = [common[(row + 1) * width + column] ?? 0, common[row * width + column + 1] ?? 0];
      const longest = isSame ? (common[(row + 1) * width + column + 1] ?? 0) + 1 : Math.max(below, right);
      common[row * width + column] = longest;
    }
  }
  const hunks: Hunk[] = [];
  let open: Hunk | undefined;
  const hunk = (): Hunk => {
    if (!open) hunks.push((open = { removed: [], added: [] }));
    return open;
  };
  let [row, column] = [0, 0];
  while (row < before.length || column < after.length) {
    const [old, next] = [before[row], after[column]];
    if (old !== undefined && old === next) {
      open = undefined;
      row += 1;
      column += 1;
      continue;
    }
    const [below, right] = [common[(row + 1) * width + column] ?? 0, common[row * width + column + 1] ?? 0];
    if (old !== undefined && (next === undefined || below >= right)) {
      hunk().removed.push(old);
      row += 1;
    } else if (next !== undefined) {
      hunk().added.push(next);
      column += 1;
    }
  }
  return hunks;
};
