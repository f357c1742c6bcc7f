import { t } from '@lingui/core/macro';
import { Checkbox, Textarea } from '@mantine/core';
import { longestPreliminaryChange } from '@radwork/contract/reading/preliminary-reports';
import { type Report, reports } from '@radwork/contract/reading/reports';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { query } from '#core/http/api.ts';
import { TextDifference } from '#reading/editor/reading/text-difference.tsx';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { issuedText } from './preliminary-notice.tsx';
import styles from './change-since-preliminary.module.css';

/** State of the question whether the signed text changes the preliminary report in an important way. */
export const usePreliminaryChange = (report: Report) => {
  const [isImportant, setImportant] = useState(false);
  const [words, setWords] = useState('');
  const [isChecked, setChecked] = useState(false);
  const fault = isImportant && words.trim() === '' ? t`Describe the change` : undefined;
  return {
    isAsked: report.preliminary !== null,
    isImportant,
    setImportant,
    words,
    setWords,
    fault: isChecked ? fault : undefined,
    /** Returns the field of the form; undefined if the description is missing. */
    check: (): { preliminaryChange?: string } | undefined => {
      setChecked(true);
      if (fault) return undefined;
      return isImportant ? { preliminaryChange: words.trim() } : {};
    },
  };
};

type Props = { report: Report; content: string; change: ReturnType<typeof usePreliminaryChange> };

/** Shows what changed since the preliminary report, and asks whether a change is important. */
export function ChangeSincePreliminary({ report, content, change }: Props) {
  const { preliminary } = report;
  const title = useId();
  const version = useQuery({
    ...query(reports.version, { params: { id: report.id, version: String(preliminary?.version ?? 0) } }),
    enabled: preliminary !== null,
  });
  if (!preliminary) return null;
  return (
    <section className={styles.change} aria-labelledby={title}>
      <h3 id={title}>{t`Changes since the preliminary report`}</h3>
      <p className="muted">{issuedText(preliminary)}</p>
      {version.isPending && <Skeleton lines={2} label={t`Loading preliminary report`} />}
      {version.error && (
        <ErrorState failed={t`Error loading version`} error={version.error} onRetry={() => void version.refetch()} />
      )}
      {version.data && (
        <div className={styles.text} tabIndex={0} role="region" aria-labelledby={title}>
          <TextDifference before={version.data.content} after={content} />
        </div>
      )}
      <Checkbox
        label={t`Important change for the patient`}
        checked={change.isImportant}
        onChange={(event) => change.setImportant(event.currentTarget.checked)}
      />
      {change.isImportant && (
        <Textarea
          label={t`Description of the change`}
          withAsterisk
          rows={2}
          maxLength={longestPreliminaryChange}
          value={change.words}
          error={change.fault}
          onChange={(event) => change.setWords(event.currentTarget.value)}
        />
      )}
    </section>
  );
}
