import { t } from '@lingui/core/macro';
import { RichTextEditor } from '@mantine/tiptap';
import type { Report } from '@radwork/contract/reading/reports';
import { IconMessagePlus } from '@tabler/icons-react';
import { type Editor, useEditorState } from '@tiptap/react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { toast } from '#core/browser/toasts.ts';
import {
  acceptSuggestion,
  type AcceptanceFailure,
  undoAcceptance,
} from '#reading/editor/comments/accept-suggestion.ts';
import {
  type CommentHandlers,
  commentState,
  goToComment,
  type MarkedComment,
  onComments,
  openComposer,
  showComments,
} from '#reading/editor/comments/comment-marks.ts';
import type { SuggestionDecision } from '#reading/editor/comments/comment-tools.ts';
import { documentText, placeOfRange } from '#reading/editor/comments/document-places.ts';
import { Tool } from '#reading/editor/toolbar/tool-row.tsx';
import { offerUndo } from '#ui/feedback/undo-toast.tsx';
import { CommentDialog, type NewComment } from './comment-dialog.tsx';
import { CommentList, focusComment, inTextOrder } from './comment-list.tsx';
import { useComments, useSettleComment } from './use-comments.ts';

type Props = { editor: Editor; report: Report };

/** Comments on the report in the editor: the list, and the marks in the text. */
export function WritingComments({ editor, report }: Props) {
  const comments = useComments(report);
  const settle = useSettleComment();
  const [active, setActive] = useState<string>();
  const [begun, setBegun] = useState<NewComment>();
  const places = useEditorState({ editor, selector: ({ editor: now }) => commentState(now.state).places });
  const found = useMemo(
    () => new Map(Array.from(places, ([id, { from, isCertain }]) => [id, { from, isCertain }])),
    [places],
  );
  const open = useMemo(() => comments.comments.filter(({ state }) => state === 'OPEN'), [comments.comments]);
  // The list shows the comments in the order of their places, so the numbers in the text follow that order.
  const order = inTextOrder(open, found)
    .map(({ id }) => id)
    .join(' ');
  const { canDecide } = comments;
  useEffect(() => {
    const ids = order.split(' ');
    const marked = open.map(({ id, author, anchor, replacement }): MarkedComment => {
      return { id, number: ids.indexOf(id) + 1, author: author.name, anchor, replacement };
    });
    showComments(editor, { comments: marked, active, canDecide });
  }, [editor, open, order, active, canDecide]);

  const set = (commentId: string, state: 'OPEN' | SuggestionDecision) =>
    settle.mutate({ params: { id: report.id, commentId }, body: { state } });
  const decide = (id: string, decision: SuggestionDecision) => {
    const failure = decision === 'ACCEPTED' ? acceptSuggestion(editor, id) : undefined;
    if (failure) {
      toast.failure(failures[failure]);
      return;
    }
    set(id, decision);
    if (decision === 'REJECTED') offerUndo(t`Suggestion rejected`, () => set(id, 'OPEN'));
    else {
      offerUndo(t`Suggestion accepted`, () => {
        if (!undoAcceptance(editor, id)) toast.failure(t`The words have changed. Change the text yourself.`);
      });
    }
  };
  const handle: CommentHandlers = {
    onOpen: (id) => {
      setActive(id);
      focusComment(id);
    },
    onDecide: decide,
    onUndone: (id) => set(id, 'OPEN'),
    onRedone: (id) => set(id, 'ACCEPTED'),
    onComment: () => setBegun(commentOnSelection(editor)),
  };
  useHandlers(editor, handle);
  const isShown = comments.comments.length > 0 || comments.isPending || comments.error !== null;
  return (
    <>
      {isShown && (
        <CommentList
          reportId={report.id}
          comments={comments}
          found={found}
          active={active}
          onGo={(id) => {
            setActive(id);
            goToComment(editor, id);
          }}
          onDecide={canDecide ? decide : undefined}
        />
      )}
      <CommentDialog report={report} begun={begun} onClose={() => setBegun(undefined)} />
    </>
  );
}

const failures: Record<AcceptanceFailure, string> = {
  changed: t`Not accepted. The words have changed since this suggestion.`,
  ambiguous: t`Not accepted. The place of these words is not certain. Change the text yourself.`,
  structure: t`Not accepted. It would change a table, a picture or a conditional part. Change the text yourself.`,
  refused: t`Not accepted. The text cannot be changed now.`,
};

/** Registers the handlers once, and always calls the latest. */
const useHandlers = (editor: Editor, handle: CommentHandlers) => {
  const latest = useRef(handle);
  useEffect(() => {
    latest.current = handle;
  });
  useEffect(
    () =>
      onComments(editor, {
        onOpen: (id) => latest.current.onOpen(id),
        onDecide: (id, decision) => latest.current.onDecide(id, decision),
        onUndone: (id) => latest.current.onUndone(id),
        onRedone: (id) => latest.current.onRedone(id),
        onComment: () => latest.current.onComment(),
      }),
    [editor],
  );
};

const commentOnSelection = ({ state }: Editor): NewComment => ({
  kind: 'comment',
  text: documentText(state.doc),
  place: placeOfRange(state.doc, state.selection),
});

/** Button next to selected words that begins a comment on them. */
export function CommentTool({ editor }: { editor: Editor }) {
  return (
    <RichTextEditor.ControlsGroup>
      <Tool label={t`Comment (Ctrl Alt M)`} icon={IconMessagePlus} onClick={() => openComposer(editor)} />
    </RichTextEditor.ControlsGroup>
  );
}
