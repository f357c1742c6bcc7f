import { t } from '@lingui/core/macro';
import { Fragment } from 'react';
import { withLineMarks } from '#reading/editor/comments/comment-tools.ts';
import { suggestedWords } from '#reading/editor/comments/suggested-words.ts';
import marks from '#reading/editor/comments/comment-marks.module.css';

/** A suggestion as one text: replaced words struck through, new words underlined. */
export function SuggestionText({ passage, replacement }: { passage: string; replacement: string }) {
  const changes = suggestedWords(passage, replacement);
  return (
    <p dir="auto" className={marks.suggestion}>
      {changes.map(({ from, to, added }, index) => (
        <Fragment key={from}>
          {passage.slice(changes[index - 1]?.to ?? 0, from)}
          {to > from && (
            <del className={marks.removed}>
              <span className="visually-hidden">{t`removed:`} </span>
              {withLineMarks(passage.slice(from, to))}
            </del>
          )}
          {added !== '' && (
            <ins className={marks.added}>
              <span className="visually-hidden">{t`added:`} </span>
              {withLineMarks(added)}
            </ins>
          )}
        </Fragment>
      ))}
      {passage.slice(changes.at(-1)?.to ?? 0)}
    </p>
  );
}
