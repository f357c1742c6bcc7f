import { plural, t } from '@lingui/core/macro';
import { Button, CloseButton, Loader, Menu } from '@mantine/core';
import { type PassageKind } from '@radwork/contract/reading/drafting';
import { reportingSettings, type WritingSettings } from '@radwork/contract/reading/reporting-settings';
import { IconChevronDown, IconEye, IconFileText, IconListCheck, IconSparkles } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Editor } from '@tiptap/react';
import { useEffect, useState } from 'react';
import { query } from '#core/http/api.ts';
import { toast } from '#core/browser/toasts.ts';
import { passagesIn, placeOfImpression } from '#reading/editor/drafting/draft-passage.ts';
import { textWithoutFields } from '#reading/editor/drafting/draft-sections.ts';
import styles from './drafting.module.css';
import { onEnhance } from './enhance-requests.ts';
import { OpenPassages } from './open-passages.tsx';
import { providerLabel, whereTextGoes } from './provider-label.ts';
import { DraftReportDialog } from './draft-report-dialog.tsx';
import { SentTextDialog } from './sent-text-dialog.tsx';
import { useDecisions } from './use-decisions.ts';
import { type Drafting, useDrafting } from './use-drafting.ts';

type Props = { editor: Editor; studyId: string };

/** AI tools of the report editor: requests, progress and undecided passages. */
export function DraftingTool({ editor, studyId }: Props) {
  const { data } = useQuery(query(reportingSettings.forWriting, {}));
  const drafting = useDrafting(editor, studyId);
  const decide = useDecisions(editor, studyId);
  const isOn = data?.drafting.isOn ?? false;
  return (
    <>
      {isOn && data && <Ask editor={editor} studyId={studyId} drafting={drafting} provider={data.drafting} />}
      <OpenPassages editor={editor} onDecide={(id, decision) => void decide(id, decision)} />
    </>
  );
}

type AskProps = Props & { drafting: Drafting; provider: WritingSettings['drafting'] };

function Ask({ editor, studyId, drafting, provider }: AskProps) {
  const [dialog, setDialog] = useState<'report' | 'sent'>();
  const close = () => setDialog(undefined);
  const { enhance, impression } = requests(editor, drafting);
  const { strange } = drafting;
  const numbers = strange.numbers.join(', ');
  const words = strange.words.join(', ');
  useEffect(() => onEnhance(editor, enhance));
  return (
    <div className={styles.tool} role="group" aria-label={t`AI`}>
      {drafting.running ? (
        <Progress {...drafting.running} onCancel={drafting.cancel} />
      ) : (
        <AskMenu
          provider={provider}
          hasSent={drafting.sent !== undefined}
          onImpression={impression}
          onReport={() => setDialog('report')}
          onEnhance={enhance}
          onSent={() => setDialog('sent')}
        />
      )}
      {drafting.failure && (
        <span className={styles.failure} role="alert">
          {drafting.failure}
          <CloseButton size={20} aria-label={t`Dismiss`} onClick={drafting.forgetFailure} />
        </span>
      )}
      {(numbers !== '' || words !== '') && (
        <span className={styles.strange} role="status">
          {numbers !== '' && t`Numbers not in your text: ${numbers}. Check the proposal.`}
          {words !== '' && ` ${t`Not in your text: ${words}. Check the proposal.`}`}
          <CloseButton size={20} aria-label={t`Dismiss`} onClick={drafting.forgetStrange} />
        </span>
      )}
      <DraftReportDialog
        opened={dialog === 'report'}
        onClose={close}
        studyId={studyId}
        findings={dialog === 'report' ? wordsFor(editor) : ''}
        drafting={provider}
        onGenerate={(input) => void drafting.draft({ kind: 'REPORT', ...input }, endOfText(editor))}
      />
      <SentTextDialog
        opened={dialog === 'sent'}
        onClose={close}
        sent={drafting.sent}
        goesTo={provider.whereTextGoes || provider.providerName}
      />
    </div>
  );
}

type MenuProps = {
  provider: WritingSettings['drafting'];
  hasSent: boolean;
  onImpression: () => void;
  onReport: () => void;
  onEnhance: () => void;
  onSent: () => void;
};

function AskMenu({ provider, hasSent, onImpression, onReport, onEnhance, onSent }: MenuProps) {
  const icon = { size: 16, stroke: 1.6, 'aria-hidden': true };
  return (
    <Menu width={280} position="bottom-start" returnFocus>
      <Menu.Target>
        <Button
          className={styles.button ?? ''}
          size="compact-sm"
          variant="default"
          aria-label={t`AI drafting`}
          leftSection={<IconSparkles size={16} stroke={1.7} aria-hidden />}
          rightSection={<IconChevronDown size={14} stroke={1.7} aria-hidden />}
        >
          {t`AI`}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{providerLabel(provider)}</Menu.Label>
        <Menu.Item leftSection={<IconListCheck {...icon} />} onClick={onImpression}>
          {t`Generate impression`}
        </Menu.Item>
        <Menu.Item leftSection={<IconFileText {...icon} />} onClick={onReport}>
          {t`Generate report`}
        </Menu.Item>
        <Menu.Item leftSection={<IconSparkles {...icon} />} onClick={onEnhance}>
          {t`Enhance selection`}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconEye {...icon} />} disabled={!hasSent} onClick={onSent}>
          {t`Show sent text`}
        </Menu.Item>
        <p className={styles.where}>{whereTextGoes(provider)}</p>
      </Menu.Dropdown>
    </Menu>
  );
}

const doing: Record<PassageKind, string> = {
  IMPRESSION: t`Drafting impression`,
  REPORT: t`Drafting report`,
  ENHANCEMENT: t`Enhancing text`,
};

function Progress({ kind, characters, onCancel }: { kind: PassageKind; characters: number; onCancel: () => void }) {
  return (
    <>
      <span className={styles.progress} role="status">
        <Loader size={14} aria-hidden />
        {doing[kind]}
      </span>
      <span className={styles.count} aria-hidden>
        {characters > 0 && t`${plural(characters, { one: '# character', other: '# characters' })}`}
      </span>
      <Button size="compact-sm" variant="default" onClick={onCancel}>
        {t`Cancel`}
      </Button>
    </>
  );
}

const endOfText = ({ state }: Editor) => {
  const at = state.selection.to;
  return { from: at, to: at };
};

const wholeOf = ({ state }: Editor) => ({ from: 0, to: state.doc.content.size });

/** Returns the selected text, or the whole text without a selection. */
const wordsFor = (editor: Editor): string =>
  textWithoutFields(editor, editor.state.selection.empty ? wholeOf(editor) : editor.state.selection);

/** Drafts that start with one click. A missing input is shown as a message. */
const requests = (editor: Editor, { draft }: Drafting) => ({
  enhance: () => {
    const { from, to, empty } = editor.state.selection;
    const prompt = editor.state.doc.textBetween(from, to, '\n');
    if (empty || prompt.trim() === '') {
      toast.failure(t`No text selected`);
      return;
    }
    if (isProposed(editor, from, to)) {
      toast.failure(t`The selection is part of an AI passage. Accept or reject the passage first.`);
      return;
    }
    void draft({ kind: 'ENHANCEMENT', prompt }, { from, to });
  },
  impression: () => {
    const prompt = textWithoutFields(editor, wholeOf(editor));
    if (prompt === '') {
      toast.failure(t`Findings are required`);
      return;
    }
    void draft({ kind: 'IMPRESSION', prompt }, placeOfImpression(editor) ?? endOfText(editor));
  },
});

const isProposed = ({ state }: Editor, from: number, to: number): boolean =>
  passagesIn(state.doc).some(({ proposed, replaced }) =>
    [...proposed, ...replaced].some((range) => range.from < to && range.to > from),
  );
