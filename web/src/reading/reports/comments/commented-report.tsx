import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { findPassage } from '@radwork/contract/reading/report-anchors';
import type { Place } from '@radwork/contract/reading/report-check-text';
import type { ReportComment } from '@radwork/contract/reading/report-comments';
import type { Report } from '@radwork/contract/reading/reports';
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { addedWords, commentTools, removedLineEnd } from '#reading/editor/comments/comment-tools.ts';
import marks from '#reading/editor/comments/comment-marks.module.css';
import { removedLineEnds, suggestedWords } from '#reading/editor/comments/suggested-words.ts';
import { inertDocument } from '#core/browser/inert-document.ts';
import { safeHtml } from '#reading/editor/reading/safe-html.ts';
import { CommentDialog, type CommentKind, type NewComment } from './comment-dialog.tsx';
import { CommentList, focusComment, inTextOrder } from './comment-list.tsx';
import styles from './comments.module.css';
import { type PaintedPassage, paintPassages, selectedPlace, shownText } from './text-places.ts';
import { type Comments, useComments } from './use-comments.ts';

type Props = {
  report: Report;
  /** Renders the sheet. The ref belongs to the element that holds the text of the report. */
  children: (text: RefObject<HTMLDivElement | null>) => ReactNode;
};

/** A report that is read, with its comments beside it. Reviewers select words to comment on them. */
export function CommentedReport({ report, children }: Props) {
  const comments = useComments(report);
  const [active, setActive] = useState<string>();
  const [begun, setBegun] = useState<NewComment>();
  const root = useRef<HTMLDivElement>(null);
  const text = useMemo(() => shownText(inertDocument(safeHtml(report.content)).body).text, [report.content]);
  const found = useMemo(() => placesOf(text, comments.comments), [text, comments.comments]);
  const isFinal = report.status === 'FINALIZED';
  const open = useMemo(
    () =>
      isFinal
        ? []
        : inTextOrder(
            comments.comments.filter(({ state }) => state === 'OPEN'),
            found,
          ),
    [isFinal, comments.comments, found],
  );
  useMarks(root, report.content, { open, found, active }, (id) => {
    setActive(id);
    focusComment(id);
  });
  const begin = (kind: CommentKind, place: Place | undefined) => setBegun({ kind, text, place });
  const go = (id: string) => {
    setActive(id);
    root.current?.querySelector(`[data-comment~="${id}"]`)?.scrollIntoView({ block: 'center' });
  };
  const isShown = comments.comments.length > 0 || comments.isPending || comments.error !== null || comments.canSuggest;
  return (
    <div className={styles.beside} data-commented data-comments={isShown}>
      {children(root)}
      {(comments.canComment || comments.canSuggest) && (
        <SelectionTools root={root} comments={comments} onBegin={begin} />
      )}
      {isShown && (
        <CommentList
          reportId={report.id}
          comments={comments}
          found={found}
          active={active}
          onGo={go}
          onComment={comments.canComment ? () => begin('comment', undefined) : undefined}
          onSuggest={comments.canSuggest ? () => begin('suggestion', undefined) : undefined}
        />
      )}
      <CommentDialog report={report} begun={begun} onClose={() => setBegun(undefined)} />
    </div>
  );
}

type Found = Place & { isCertain: boolean };

const placesOf = (text: string, comments: readonly ReportComment[]): Map<string, Found> =>
  new Map(
    comments.flatMap(({ id, anchor }) => {
      const place = findPassage(text, anchor);
      return place ? [[id, place] as const] : [];
    }),
  );

type Shown = { open: readonly ReportComment[]; found: ReadonlyMap<string, Found>; active: string | undefined };

/** Marks the passages of open comments in the text. */
const useMarks = (
  root: RefObject<HTMLDivElement | null>,
  content: string,
  { open, found, active }: Shown,
  onOpen: (id: string) => void,
) => {
  const latest = useRef(onOpen);
  useEffect(() => {
    latest.current = onOpen;
  });
  useLayoutEffect(() => {
    const element = root.current;
    if (!element) return undefined;
    const passages = open.flatMap((comment, index) => {
      const place = found.get(comment.id);
      return place ? [passageOf(comment, place, index + 1, (id) => latest.current(id))] : [];
    });
    return paintPassages(element, passages, { passage: marks.passage ?? '', struck: marks.removed ?? '' });
    // The content is a dependency, because a new text replaces the marked elements.
  }, [root, content, open, found]);
  useLayoutEffect(() => {
    for (const mark of root.current?.querySelectorAll<HTMLElement>('[data-comment]') ?? []) {
      const isActive = active !== undefined && (mark.dataset.comment ?? '').split(' ').includes(active);
      mark.classList.toggle(marks.active ?? '', isActive);
    }
  }, [root, content, open, found, active]);
};

const passageOf = (
  { id, author, replacement, anchor }: ReportComment,
  { from, to }: Place,
  number: number,
  onOpen: (id: string) => void,
): PaintedPassage => {
  const tools = { at: to, element: commentTools({ number, author: author.name, onOpen: () => onOpen(id) }) };
  if (replacement === null) return { id, place: { from, to }, struck: [], extras: [tools] };
  const changes = suggestedWords(anchor.exact, replacement);
  return {
    id,
    place: { from, to },
    struck: changes.map((change) => ({ from: from + change.from, to: from + change.to })),
    extras: [
      ...removedLineEnds(anchor.exact, changes).map((at) => ({ at: from + at, element: removedLineEnd() })),
      ...changes.flatMap((change) =>
        change.added === '' ? [] : [{ at: from + change.to, element: addedWords(change.added) }],
      ),
      tools,
    ],
  };
};

type ToolsProps = {
  root: RefObject<HTMLDivElement | null>;
  comments: Comments;
  onBegin: (kind: CommentKind, place: Place | undefined) => void;
};

type Selected = { place: Place; top: number; left: number };

/** Buttons next to the selected words. */
function SelectionTools({ root, comments, onBegin }: ToolsProps) {
  const [selected, setSelected] = useState<Selected>();
  useEffect(() => {
    const onSelection = () => setSelected(selectionIn(root.current));
    document.addEventListener('selectionchange', onSelection);
    return () => document.removeEventListener('selectionchange', onSelection);
  }, [root]);
  if (!selected) return null;
  const begin = (kind: CommentKind) => {
    onBegin(kind, selected.place);
    setSelected(undefined);
  };
  return (
    <div
      className={styles.selection}
      role="group"
      aria-label={t`Selected text`}
      style={{ top: selected.top, left: selected.left }}
      // Prevents the click from clearing the selection.
      onMouseDown={(event) => event.preventDefault()}
    >
      {comments.canComment && (
        <Button size="compact-xs" variant="default" onClick={() => begin('comment')}>
          {t`Comment`}
        </Button>
      )}
      {comments.canSuggest && (
        <Button size="compact-xs" variant="default" onClick={() => begin('suggestion')}>
          {t`Suggest change`}
        </Button>
      )}
    </div>
  );
}

/** Height of the buttons with a gap, in pixels. */
const toolsHeight = 40;

const selectionIn = (root: Element | null): Selected | undefined => {
  const selection = window.getSelection();
  const place = root && selectedPlace(root, shownText(root), selection);
  if (!place || !selection) return undefined;
  const around = root.closest('[data-commented]')?.getBoundingClientRect();
  // A test environment without layout has no boxes.
  const box = selection.getRangeAt(0).getBoundingClientRect?.();
  if (!around || !box) return { place, top: 0, left: 0 };
  return { place, top: Math.max(0, box.top - around.top - toolsHeight), left: Math.max(0, box.left - around.left) };
};
