import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import type { NamedPatient } from '@radwork/contract/named-patient';
import { ReportText } from '#editor/report-text.tsx';
import { confirm } from '#ui/confirm.tsx';
import { Notice } from '#ui/notice.tsx';
import { patientOf } from './refiled.tsx';
import styles from './report-panel.module.css';

type Props = {
  /** Patient for whom the text was begun; null when unknown. */
  begunFor: NamedPatient | null;
  /** Present patient of the study. */
  patient: NamedPatient;
  written: () => string;
  onConfirm: () => void;
  onDiscard: () => void;
};

const decisionId = 'text-of-another';

/** Moves the focus to the decision that must come before saving. */
export const showDecision = (): void => document.getElementById(decisionId)?.focus();

/**
 * Shown when the study has moved to another patient since the text was begun. The writer says whether the text is about
 * the new patient. Until then it is not sent, but can be read, copied and edited.
 */
export function TextOfAnother({ begunFor, patient, written, onConfirm, onDiscard }: Props) {
  const discard = async () => {
    const agreed = await confirm({
      question: t`Discard this text?`,
      consequence: (
        <>
          <p>{t`What is not saved of it is lost, and nobody can bring it back:`}</p>
          <div className={styles.lost} tabIndex={0}>
            <ReportText html={written()} />
          </div>
        </>
      ),
      verb: t`Discard text`,
      refusal: 'Keep text',
    });
    if (agreed) onDiscard();
  };
  return (
    <Notice tone="danger">
      {begunFor ? (
        <>
          <Trans>
            This text was begun for <strong>{patientOf(begunFor)}</strong>.
          </Trans>
        </>
      ) : (
        t`This browser did not note for whom this text was begun.`
      )}
      <Trans>
        {' '}
        The study is now of <strong>{patientOf(patient)}</strong>. Nothing is saved until you decide. Names and other
        facts that a template has filled in stay as they are written.
      </Trans>
      <div className={styles.choices}>
        <Button id={decisionId} variant="default" size="compact-xs" onClick={onConfirm}>
          <Trans>This text is about {patientOf(patient)}</Trans>
        </Button>
        <Button variant="default" size="compact-xs" onClick={() => void discard()}>
          {t`Discard this text`}
        </Button>
      </div>
    </Notice>
  );
}
