import { t } from '../core/translate.ts';
import type { CriticalSeverity } from './critical-finding-states.ts';
import type { CheckLexicon } from './report-check-lexicon.ts';
import { assertionOf } from './report-check-negation.ts';
import type { Place, Sentence } from './report-check-text.ts';

type CriticalWord = { kind: 'CRITICAL_WORD'; message: string; place: Place; severity: CriticalSeverity };

const severityOf = (name: string, { urgent, significant }: CheckLexicon): CriticalSeverity => {
  if (significant.includes(name)) return 'SIGNIFICANT';
  return urgent.includes(name) ? 'URGENT' : 'CRITICAL';
};

/** Finds critical findings that the report describes as present or possible. Reports each finding once. */
export const criticalWords = (sentences: readonly Sentence[], lexicon: CheckLexicon): CriticalWord[] => {
  const stated = sentences.filter(
    ({ section, isHeading }) =>
      !isHeading && (section === undefined || section === 'findings' || section === 'impression'),
  );
  return Object.entries(lexicon.critical).flatMap(([name, pattern]) => {
    const mentions = stated.flatMap((sentence) =>
      Array.from(sentence.text.matchAll(pattern), ({ 0: words, index }) => ({
        words,
        isHedged: assertionOf(sentence.text, { from: index, to: index + words.length }, lexicon) === 'hedged',
        isThere: ['present', 'hedged'].includes(
          assertionOf(sentence.text, { from: index, to: index + words.length }, lexicon),
        ),
        place: { from: sentence.from + index, to: sentence.from + index + words.length },
      })),
    );
    const first =
      mentions.find(({ isThere, isHedged }) => isThere && !isHedged) ?? mentions.find(({ isThere }) => isThere);
    if (!first) return [];
    const { words } = first;
    const message = first.isHedged
      ? t`The report says that “${words}” is possible, but it is not flagged as critical.`
      : t`The report states “${words}”, but it is not flagged as critical.`;
    return [{ kind: 'CRITICAL_WORD' as const, message, place: first.place, severity: severityOf(name, lexicon) }];
  });
};
