import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import type { NamedPatient } from '@radwork/contract/core/named-patient';
import { ReportText } from '#reading/editor/reading/report-text.tsx';
import { confirm } from '#ui/dialogs/confirm.tsx';
import { Notice } from '#ui/feedback/notice.tsx';
import { patientNameAndId } from './study-moved.tsx';
import styles from '#reading/reports/panel/report-panel.module.css';

type Props = {
  /** Patient about whom the text was begun; null when unknown. */
  begunFor: NamedPatient | null;
  /** Current patient of the study. */
  patient: NamedPatient;
  written: () => string;
  onConfirm: () => void;
  onDiscard: () => void;
};

const decisionId = 'text-of-another';

/** Moves the focus to the question about the patient, which must be answered before saving. */
export const showDecision = (): void => document.getElementById(decisionId)?.focus();

/**
 * Question to the writer after the study has moved to another patient: is the text about the new patient? Until the
 * answer, the text is not sent but can be read, copied and edited.
 */
export function TextOfAnother({ begunFor, patient, written, onConfirm, onDiscard }: Props) {
  const before = begunFor && patientNameAndId(begunFor);
  const now = patientNameAndId(patient);
  const discard = async () => {
    const agreed = await confirm({
      question: t`Discard this text?`,
      consequence: (
        <>
          <p>{t`The unsaved text is lost. This cannot be undone:`}</p>
          <div className={styles.lost} tabIndex={0}>
            <ReportText html={written()} />
          </div>
        </>
      ),
      verb: t`Discard text`,
      refusal: t`Keep text`,
    });
    if (agreed) onDiscard();
  };
  return (
    <Notice tone="danger">
      {begunFor ? (
        <Trans>
          This text was written for <strong>{before}</strong>.
        </Trans>
      ) : (
        t`The patient for whom this text was written is unknown.`
      )}{' '}
      <Trans>
        The study now belongs to <strong>{now}</strong>. Nothing is saved until you decide. Names and other data filled
        in by a template do not change.
      </Trans>
      <div className={styles.choices}>
        <Button id={decisionId} variant="default" size="compact-xs" onClick={onConfirm}>
          {t`This text is about ${now}`}
        </Button>
        <Button variant="default" size="compact-xs" onClick={() => void discard()}>
          {t`Discard this text`}
        </Button>
      </div>
    </Notice>
  );
}
