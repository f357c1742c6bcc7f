import { t } from '@lingui/core/macro';
import { NativeSelect } from '@mantine/core';
import { type Report, type ReportHistoryEntry, reports } from '@radwork/contract/reading/reports';
import type { ComparedVersions } from '@radwork/contract/reading/report-feedback';
import { criticalChangeLabels, textChanges } from '@radwork/contract/reading/report-text-changes';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { inertDocument } from '#core/browser/inert-document.ts';
import { query } from '#core/http/api.ts';
import { safeHtml } from '#reading/editor/reading/safe-html.ts';
import { TextDifference } from '#reading/editor/reading/text-difference.tsx';
import { formatMoment } from '#ui/formats/formats.ts';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { Notice } from '#ui/feedback/notice.tsx';
import { shownText } from '#reading/reports/comments/text-places.ts';
import { FlagDifference } from '#reading/reports/panel/version-critical-flag.tsx';
import styles from './report-history.module.css';

type Props = {
  report: Report;
  /** Versions to compare first. Default: the newest version and the version before it. */
  first?: ComparedVersions;
};

/** Shows the difference between two versions of a report, and names the critical kinds among the changes. */
export function VersionDifference({ report, first }: Props) {
  const { id, history } = report;
  const [newest, before] = history;
  const [chosen, setChosen] = useState({
    from: String(first?.from ?? before?.version ?? newest?.version),
    to: String(first?.to ?? newest?.version),
  });
  const from = useQuery(query(reports.version, { params: { id, version: chosen.from } }));
  const to = useQuery(query(reports.version, { params: { id, version: chosen.to } }));
  const failed = [from, to].find(({ error }) => error);
  const choices = history.map((entry) => ({ value: String(entry.version), label: titleOf(entry) }));
  return (
    <>
      <div className={styles.choice}>
        <NativeSelect
          label={t`From`}
          data={choices}
          value={chosen.from}
          onChange={(event) => setChosen({ ...chosen, from: event.currentTarget.value })}
        />
        <NativeSelect
          label={t`To`}
          data={choices}
          value={chosen.to}
          onChange={(event) => setChosen({ ...chosen, to: event.currentTarget.value })}
        />
      </div>
      {failed && (
        <ErrorState failed={t`Error loading version`} error={failed.error} onRetry={() => void failed.refetch()} />
      )}
      {!failed && !(from.data && to.data) && <Skeleton label={t`Loading versions`} />}
      {from.data && to.data && <CriticalChanges before={from.data.content} after={to.data.content} />}
      {from.data && to.data && <FlagDifference from={from.data} to={to.data} />}
      {from.data && to.data && (
        <div className={styles.text}>
          <TextDifference before={from.data.content} after={to.data.content} />
        </div>
      )}
    </>
  );
}

/** Names changes that can reverse the meaning of a report. Renders nothing if there are none. */
function CriticalChanges({ before, after }: { before: string; after: string }) {
  const kinds = useMemo(() => textChanges(textOf(before), textOf(after)).critical, [before, after]);
  if (kinds.length === 0) return null;
  const list = kinds.map((kind) => criticalChangeLabels[kind]).join(', ');
  return <Notice tone="warning">{t`Critical changes: ${list}`}</Notice>;
}

const textOf = (html: string): string => shownText(inertDocument(safeHtml(html)).body).text;

const titleOf = ({ version, actor, at }: ReportHistoryEntry): string => {
  const name = actor.name;
  const moment = formatMoment(at);
  return t`Version ${version}, ${name}, ${moment}`;
};
