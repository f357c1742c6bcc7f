import { t } from '@lingui/core/macro';
import { createElement, Fragment, type ReactNode, useMemo } from 'react';
import { type ComparedPiece, compareTexts } from './compare-texts.ts';
import { shownHtml } from './safe-html.ts';
import sheet from './sheet.module.css';
import styles from './text-difference.module.css';

/**
 * Shows two versions of a text as one text with a summary. Removed words are struck through, added words underlined.
 */
export function TextDifference({ before, after }: { before: string; after: string }) {
  const { pieces, summary } = useMemo(() => compareTexts(before, after), [before, after]);
  return (
    <>
      <p className={styles.summary} role="status">
        {summary}
      </p>
      <div className={`${sheet.sheet} ${styles.difference}`}>
        {blocksOf(pieces).map((block, index) => (
          // The index is a valid key, because blocks have no identity and each comparison renders them again.
          // oxlint-disable-next-line react/no-array-index-key
          <Fragment key={index}>{createElement(tagOf(block), undefined, ...runsOf(block).map(drawnRun))}</Fragment>
        ))}
      </div>
    </>
  );
}

const tags: Record<string, string> = { h1: 'h1', h2: 'h2', h3: 'h3', blockquote: 'blockquote' };

/** Returns the tag for a block. A list item needs its own list, because each item is shown alone. */
const tagOf = ([first]: readonly ComparedPiece[]): string => (first ? (tags[first.block] ?? 'div') : 'div');

/** Groups pieces by block. */
const blocksOf = (pieces: readonly ComparedPiece[]): ComparedPiece[][] => {
  const blocks: ComparedPiece[][] = [];
  for (const piece of pieces) {
    const open = blocks.at(-1);
    if (open && piece.kind !== 'block') open.push(piece);
    else blocks.push([piece]);
  }
  return blocks;
};

/** Groups neighboring pieces with the same kind of change, so that one mark covers them. */
const runsOf = (pieces: readonly ComparedPiece[]): ComparedPiece[][] => {
  const runs: ComparedPiece[][] = [];
  for (const piece of pieces) {
    const open = runs.at(-1);
    if (open?.[0]?.change === piece.change) open.push(piece);
    else runs.push([piece]);
  }
  return runs;
};

const drawnRun = (run: readonly ComparedPiece[]): ReactNode => {
  const change = run[0]?.change;
  const content = run.map(drawnPiece);
  if (change === 'added') {
    return (
      <ins className={styles.added}>
        <span className="visually-hidden">{t`added:`} </span>
        {...content}
      </ins>
    );
  }
  if (change === 'removed') {
    return (
      <del className={styles.removed}>
        <span className="visually-hidden">{t`removed:`} </span>
        {...content}
      </del>
    );
  }
  return createElement(Fragment, undefined, ...content);
};

/** A picture or table, which is compared as a whole. */
function Unit({ html }: { html: string }) {
  const markup = useMemo(() => ({ __html: shownHtml(html) }), [html]);
  return <span className={styles.unit} dangerouslySetInnerHTML={markup} />;
}

const drawnPiece = (piece: ComparedPiece): ReactNode => {
  const { kind, text, block, change, marks } = piece;
  switch (kind) {
    case 'block':
      if (change !== 'same') return '¶ ';
      return block === 'li' ? '• ' : null;
    case 'line':
      return <br />;
    case 'tick':
      return '☑ ';
    case 'picture':
    case 'table':
      return <Unit html={text} />;
    case 'words':
      return marks.reduceRight<ReactNode>((inside, mark) => createElement(mark, undefined, inside), text);
  }
};
