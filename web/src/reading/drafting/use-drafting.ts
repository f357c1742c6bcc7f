import { t } from '@lingui/core/macro';
import type { DraftedPassage, PassageKind, SentText } from '@radwork/contract/reading/drafting';
import type { Editor } from '@tiptap/react';
import { useEffect, useRef, useState } from 'react';
import { toast } from '#core/browser/toasts.ts';
import { proposePassage, type Range } from '#reading/editor/drafting/draft-passage.ts';
import { beginPending, endPending, showPending } from '#reading/editor/drafting/pending-draft.ts';
import { proposeSections } from '#reading/editor/drafting/draft-sections.ts';
import { showPassage } from '#reading/editor/drafting/passage-visibility.ts';
import { waitForUnlock } from '#reading/editor/text-lock.ts';
import { type DraftRequest, streamDraft } from './stream-draft.ts';

/** Prefixes of error messages, from the specification. */
const failures: Record<PassageKind, (reason: string) => string> = {
  IMPRESSION: (reason) => t`Error generating impression: ${reason}`,
  REPORT: (reason) => t`Error generating report: ${reason}`,
  ENHANCEMENT: (reason) => t`Error enhancing text: ${reason}`,
};

/** The passage being drafted, with the number of characters so far. */
type RunningDraft = { kind: PassageKind; characters: number };

type Strange = { numbers: readonly string[]; words: readonly string[] };

const nothingStrange: Strange = { numbers: [], words: [] };

export type Drafting = ReturnType<typeof useDrafting>;

/**
 * Drafts a passage and inserts it as a proposal. The user can type meanwhile, because the position is tracked. Only one
 * draft runs at a time.
 */
export const useDrafting = (editor: Editor, studyId: string) => {
  const [running, setRunning] = useState<RunningDraft>();
  const [failure, setFailure] = useState<string>();
  /** Numbers, sides and findings of the last proposal that are not in the writer's text. */
  const [strange, setStrange] = useState(nothingStrange);
  /** The text that left this server for the last draft: null for none, undefined before the first draft. */
  const [sent, setSent] = useState<SentText | null>();
  const current = useRef<AbortController>(undefined);
  useEffect(() => () => current.current?.abort(), []);

  /** Returns whether a proposal was inserted. */
  const draft = async (request: DraftRequest, place: Range): Promise<boolean> => {
    current.current?.abort();
    const controller = new AbortController();
    current.current = controller;
    const { kind } = request;
    setFailure(undefined);
    setStrange(nothingStrange);
    setRunning({ kind, characters: 0 });
    beginPending(editor, place);
    try {
      const passages = await follow(request, controller.signal);
      // A report that is being signed must not change; the draft waits until signing ends.
      await waitForUnlock(editor, controller.signal);
      controller.signal.throwIfAborted();
      propose(editor, request, passages);
      setStrange({
        numbers: [...new Set(passages.flatMap(({ strangeNumbers }) => strangeNumbers))],
        words: [...new Set(passages.flatMap(({ strangeWords }) => strangeWords))],
      });
      return true;
    } catch (error) {
      if (controller.signal.aborted) return false;
      const words = failures[kind](error instanceof Error ? error.message : String(error));
      setFailure(words);
      toast.failure(words);
      return false;
    } finally {
      if (current.current === controller) {
        endPending(editor);
        setRunning(undefined);
      }
    }
  };

  const follow = async (request: DraftRequest, signal: AbortSignal): Promise<DraftedPassage[]> => {
    let text = '';
    for await (const event of streamDraft(request, studyId, signal)) {
      if (event.kind === 'done') return event.passages;
      if (event.kind === 'failed') throw new Error(event.message);
      if (event.kind === 'sent') {
        setSent(event.sent);
        continue;
      }
      text += event.text;
      showPending(editor, text);
      setRunning({ kind: request.kind, characters: text.length });
    }
    throw new Error(t`The answer was incomplete. Try again.`);
  };

  return {
    running,
    failure,
    sent,
    strange,
    draft,
    forgetFailure: () => setFailure(undefined),
    forgetStrange: () => setStrange(nothingStrange),
    cancel: () => {
      current.current?.abort();
      toast.info(t`Drafting canceled`);
    },
  };
};

const propose = (editor: Editor, request: DraftRequest, passages: readonly DraftedPassage[]): void => {
  const place = endPending(editor);
  const [first, ...others] = passages.flatMap(({ id, html }) => (id === null ? [] : [{ id, html }]));
  if (!place || !first) throw new Error(t`The text to replace is no longer in the report`);
  const isSame =
    request.kind === 'ENHANCEMENT' && editor.state.doc.textBetween(place.from, place.to, '\n') === passages[0]?.text;
  if (isSame) {
    toast.info(t`No improvement found for this text`);
    return;
  }
  if (!put(editor, request, [first, ...others], place)) throw new Error(t`The report would be too large`);
  showPassage(editor, first.id);
  if (request.kind === 'REPORT') toast.success(t`Report generated successfully`);
};

type Drafted = { id: string; html: string };

const put = (
  editor: Editor,
  request: DraftRequest,
  drafted: readonly [Drafted, ...Drafted[]],
  place: Range,
): boolean => {
  switch (request.kind) {
    case 'REPORT':
      return proposeSections(editor, drafted, { place, source: request.findings });
    case 'IMPRESSION':
      return proposeSections(editor, [{ ...drafted[0], section: 'impression' }], { place, source: '' });
    case 'ENHANCEMENT':
      return proposePassage(editor, drafted[0], place);
  }
};
