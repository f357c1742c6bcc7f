import { t } from '@lingui/core/macro';
import { NativeSelect } from '@mantine/core';
import { type Report, type ReportHistoryEntry, reports } from '@radwork/contract/reading/reports';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { query } from '#core/http/api.ts';
import { TextDifference } from '#reading/editor/reading/text-difference.tsx';
import { formatMoment } from '#ui/formats/formats.ts';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { FlagDifference } from '#reading/reports/panel/version-critical-flag.tsx';
import styles from './report-history.module.css';

/** Shows the difference between two versions of a report. Default: the newest version and the version before it. */
export function VersionDifference({ report }: { report: Report }) {
  const { id, history } = report;
  const [newest, before] = history;
  const [chosen, setChosen] = useState({
    from: String(before?.version ?? newest?.version),
    to: String(newest?.version),
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
      {from.data && to.data && <FlagDifference from={from.data} to={to.data} />}
      {from.data && to.data && (
        <div className={styles.text}>
          <TextDifference before={from.data.content} after={to.data.content} />
        </div>
      )}
    </>
  );
}

const titleOf = ({ version, actor, at }: ReportHistoryEntry): string => {
  const name = actor.name;
  const moment = formatMoment(at);
  return t`Version ${version}, ${name}, ${moment}`;
};
