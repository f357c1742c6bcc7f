import { t } from '@lingui/core/macro';
import { Button, SegmentedControl, Select, Textarea } from '@mantine/core';
import { addendumKindLabels, addendumKinds, partTitle } from '@radwork/contract/reading/report-parts';
import type { Report } from '@radwork/contract/reading/reports';
import { useState } from 'react';
import { errorMessageOf } from '#core/http/api.ts';
import { confirm } from '#ui/dialogs/confirm.tsx';
import { Notice } from '#ui/feedback/notice.tsx';
import { toast } from '#core/browser/toasts.ts';
import { ReportEditorOnDemand } from '#reading/editor/report-editor-on-demand.tsx';
import { Skeleton } from '#ui/feedback/content-states.tsx';
import { useLeaveWarning } from '#ui/dialogs/use-leave-warning.ts';
import styles from './addendum-writing.module.css';
import { quotedPassage } from '#reading/reports/quoted-passage.ts';
import type { ReportSlots } from '#reading/reports/panel/report-slots.ts';
import { useCompleteText } from '#reading/reports/writing/use-complete-text.ts';
import { ReturnToText } from '#reading/reports/writing/return-to-text.tsx';
import { SignAddendumDialog } from './sign-addendum-dialog.tsx';
import { faultOf, isOvertaken, useAddendum, useDiscardAddendum, type WrittenAddendum } from './use-addendum.ts';

const textIsLeft = {
  question: t`Leave with an unsaved addendum?`,
  consequence: t`Your text stays in this browser. Open this report here again to continue.`,
  verb: t`Leave without saving`,
};

const kinds = addendumKinds.map((value) => ({ value, label: addendumKindLabels[value] }));

type Props = {
  report: Report;
  slots: ReportSlots;
  /** Whether the user has just opened the editor in order to write. */
  takesFocus: boolean;
  onClose: () => void;
};

/** Editor of an addendum or correction, below the signed report. */
export function AddendumWriting({ report, slots, takesFocus, onClose }: Props) {
  const addendum = useAddendum(report);
  const { words } = addendum;
  const [isChecked, setIsChecked] = useState(false);
  const [step, setStep] = useState<'saving' | 'signing'>();
  useLeaveWarning(addendum.isUnsaved, textIsLeft);
  const missing = useCompleteText(report.studyId, step !== undefined, () => setStep(undefined));
  const fault = isChecked ? faultOf(words) : undefined;

  const save = () => {
    setIsChecked(true);
    return addendum.save();
  };
  /** Saves before signing, so that screen, server and signature have the same text. Then locks the text. */
  const saveAndSign = async () => {
    if (missing !== undefined) {
      toast.failure(missing);
      return;
    }
    setStep('saving');
    setIsChecked(true);
    const isSaved = await addendum.saveAll();
    // The step may have been left meanwhile.
    setStep((current) => (current && isSaved ? 'signing' : undefined));
  };
  const overtake = () => {
    if (step !== 'signing') return;
    setStep(undefined);
    toast.failure(t`The text has changed and was not signed. Review it again.`);
  };

  return (
    <section className={styles.writing} aria-label={t`Your addendum`}>
      <header className={styles.head}>
        <SegmentedControl
          size="xs"
          aria-label={t`Kind`}
          value={words.kind}
          data={kinds}
          onChange={(kind) => addendum.write({ kind: addendumKinds.find((known) => known === kind) ?? 'ADDENDUM' })}
        />
        <span className={styles.note} role="status">
          {noteOf(addendum)}
        </span>
        <div className={styles.actions}>
          <Discard report={report} addendum={addendum} onDiscarded={onClose} />
          <Button variant="default" loading={addendum.isSaving} onClick={() => void save()}>
            {t`Save addendum`}
          </Button>
          <Button onClick={() => void saveAndSign()}>{t`Sign`}</Button>
        </div>
      </header>
      {words.kind === 'CORRECTION' && <Passage report={report} addendum={addendum} />}
      <div className={styles.notices}>
        {fault && <Notice tone="danger">{fault}</Notice>}
        <Refused addendum={addendum} />
      </div>
      <ReportEditorOnDemand
        waiting={<Skeleton lines={4} label={t`Loading editor`} />}
        key={addendum.generation}
        start={words.content}
        takesFocus={takesFocus && 'end'}
        onChange={(content) => addendum.write({ content })}
        isHeld={step !== undefined}
        onTouch={() => {
          overtake();
          addendum.touch();
        }}
        onOpen={addendum.onOpen}
        tools={(editor) => slots.addendumTools?.({ editor, studyId: report.studyId, report })}
      />
      <ReturnToText />
      {addendum.draft && (
        <SignAddendumDialog
          report={report}
          addendum={{ ...words, id: addendum.draft.id, revision: addendum.draft.revision }}
          opened={step === 'signing' && !addendum.isUnsaved}
          onClose={() => setStep(undefined)}
          isShown={() => !addendum.latest().isUnsaved}
          onSigned={() => {
            addendum.forget();
            onClose();
          }}
        />
      )}
    </section>
  );
}

const noteOf = ({ isUnsaved, draft }: WrittenAddendum): string => {
  if (isUnsaved) return t`Not saved`;
  return draft ? t`Saved. Visible only to you until signed` : t`Visible only to you until signed`;
};

type PartProps = { report: Report; addendum: WrittenAddendum };

/** Field for the passage to correct. The user selects it in the report above or types it exactly. */
function Passage({ report, addendum }: PartProps) {
  const { words, write } = addendum;
  const [isNothingSelected, setIsNothingSelected] = useState(false);
  const parts = [
    { value: '0', label: t`The report` },
    ...report.addenda.map((part) => ({ value: String(part.number), label: partTitle(part) })),
  ];
  const quote = () => {
    const quoted = quotedPassage();
    setIsNothingSelected(quoted === undefined);
    if (quoted) write(quoted);
  };
  return (
    <div className={styles.passage}>
      <Textarea
        label={t`Passage to correct`}
        description={t`Select and quote the passage above, or type it exactly as written.`}
        withAsterisk
        rows={2}
        maxLength={4000}
        value={words.passage}
        error={isNothingSelected && t`Select text in the report or an addendum first`}
        onChange={(event) => write({ passage: event.currentTarget.value, corrects: words.corrects ?? 0 })}
      />
      <div className={styles.quoting}>
        {/* Prevents the click from clearing the text selection. */}
        <Button variant="default" onMouseDown={(event) => event.preventDefault()} onClick={quote}>
          {t`Quote selected text`}
        </Button>
        {parts.length > 1 && (
          <Select
            aria-label={t`Location of the passage`}
            data={parts}
            value={String(words.corrects ?? 0)}
            allowDeselect={false}
            onChange={(part) => write({ corrects: Number(part ?? 0) })}
          />
        )}
      </div>
    </div>
  );
}

/**
 * Shows why the server did not store the text. If another window has stored a newer text, the user chooses whether to
 * continue with that text or to replace it.
 */
function Refused({ addendum }: { addendum: WrittenAddendum }) {
  const { error } = addendum;
  if (!error) return null;
  return (
    <Notice tone="danger">
      {errorMessageOf(error, t`Error saving addendum`)}
      {isOvertaken(error) && (
        <div className={styles.actions}>
          <Button variant="default" size="compact-xs" onClick={addendum.rebase}>
            {t`Keep my text`}
          </Button>
          <Button variant="default" size="compact-xs" onClick={addendum.adopt}>
            {t`Use saved text`}
          </Button>
        </div>
      )}
    </Notice>
  );
}

function Discard({ report, addendum, onDiscarded }: PartProps & { onDiscarded: () => void }) {
  const discard = useDiscardAddendum(report, addendum);
  const confirmDiscard = async () => {
    const agreed = await confirm({
      question: t`Discard your addendum?`,
      consequence: t`This cannot be undone. The signed report does not change.`,
      verb: t`Discard addendum`,
    });
    if (agreed) discard.mutate(undefined, { onSuccess: onDiscarded });
  };
  return (
    <Button variant="subtle" loading={discard.isPending} onClick={() => void confirmDiscard()}>
      {t`Discard`}
    </Button>
  );
}
