import { plural, t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import {
  assignmentRules,
  type DryRun,
  type DryRunPeriod,
  dryRunPeriods,
  type DryRunStudy,
  mostDaysBeforeArrival,
  passCauseLabels,
  ruleFaultLabels,
} from '@radwork/contract/reading/assignment-rules';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId, useMemo, useState } from 'react';
import { call } from '#core/http/api.ts';
import { EmptyState, ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { formatMoment, formatNumber } from '#ui/formats/formats.ts';
import { isolateText } from '#ui/formats/isolate-text.ts';
import { type Column, DataTable } from '#ui/tables/data-table.tsx';
import styles from './assignment-rules.module.css';
import { type DraftRule, formOf } from './draft-rules.ts';

const periodLabels: Record<DryRunPeriod, string> = { DAY: t`Last 24 hours`, WEEK: t`Last 7 days` };

/** Shows what the rules on the screen would have done with recent studies. Nothing changes. */
export function DryRunSection({ rules }: { rules: readonly DraftRule[] }) {
  const id = useId();
  /** The rules of the last run, because the screen may have changed since. */
  const [ran, setRan] = useState<readonly DraftRule[]>([]);
  const run = useMutation({
    mutationFn: (period: DryRunPeriod) => call(assignmentRules.dryRun, { body: { period, rules: rules.map(formOf) } }),
  });
  const start = (period: DryRunPeriod) => {
    setRan(rules);
    run.mutate(period);
  };
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 id={id}>{t`Dry run`}</h2>
      <p className={styles.hint}>
        {t`Shows what the rules on this screen would have done, including unsaved rules. Studies count as unassigned when they arrive. Nothing changes.`}
      </p>
      <div className={styles.periods}>
        {dryRunPeriods.map((period) => (
          <Button
            key={period}
            variant="default"
            loading={run.isPending && run.variables === period}
            disabled={run.isPending && run.variables !== period}
            onClick={() => start(period)}
          >
            {periodLabels[period]}
          </Button>
        ))}
      </div>
      {run.isPending && <Skeleton lines={4} label={t`Running the rules`} />}
      {run.error && (
        <ErrorState failed={t`Failed to run the rules`} error={run.error} onRetry={() => start(run.variables)} />
      )}
      {run.data && !run.isPending && (
        <>
          {ran !== rules && <p role="status">{t`The rules have changed since this run.`}</p>}
          <Result data={run.data} rules={ran} />
        </>
      )}
    </section>
  );
}

function Result({ data: { studies, arrived }, rules }: { data: DryRun; rules: readonly DraftRule[] }) {
  const columns = useMemo(() => studyColumns(rules), [rules]);
  if (studies.length === 0) return <EmptyState title={t`No study arrived in this period`} />;
  const [shown, total] = [formatNumber(studies.length), formatNumber(arrived)];
  return (
    <>
      <p role="status">
        {studies.length < arrived
          ? t`The newest ${shown} of ${total} studies.`
          : plural(studies.length, { one: '# study.', other: '# studies.' })}
      </p>
      <Summary studies={studies} rules={rules} />
      <DataTable label={t`studies of the dry run`} items={studies} idOf={(study) => study.id} columns={columns} />
    </>
  );
}

function Summary({ studies, rules }: { studies: readonly DryRunStudy[]; rules: readonly DraftRule[] }) {
  const assignedBy = (place: number) => studies.filter(({ rule }) => rule === place).length;
  const passedBy = (place: number) => studies.filter(({ passed }) => passed.some(({ rule }) => rule === place)).length;
  const unassigned = studies.filter(({ rule }) => rule === null).length;
  return (
    <table className={styles.summary}>
      <caption className="visually-hidden">{t`Studies by rule`}</caption>
      <thead>
        <tr>
          <th scope="col">{t`Rule`}</th>
          <th scope="col">{t`Assigned`}</th>
          <th scope="col">{t`Without assignee`}</th>
        </tr>
      </thead>
      <tbody>
        {rules.map((rule, place) => (
          <tr key={rule.key}>
            <th scope="row">
              {isolateText(rule.name)}
              {rule.fault && <p className={styles.fault}>{ruleFaultLabels[rule.fault]}</p>}
            </th>
            <td>{formatNumber(assignedBy(place))}</td>
            <td>{formatNumber(passedBy(place))}</td>
          </tr>
        ))}
        <tr>
          <th scope="row">{t`Not assigned`}</th>
          <td>{formatNumber(unassigned)}</td>
          <td />
        </tr>
      </tbody>
    </table>
  );
}

/** Returns why rules passed a study on: "Neuro: maximum of open studies reached". */
const passedText = ({ passed }: DryRunStudy, rules: readonly DraftRule[]): string =>
  passed
    .map(({ rule, cause }) => {
      const [name, why] = [isolateText(rules[rule]?.name ?? ''), passCauseLabels[cause]];
      return t`${name}: ${why}`;
    })
    .join('; ');

const withoutRule = ({ isOld, passed }: DryRunStudy): string => {
  if (isOld) return t`Older than ${plural(mostDaysBeforeArrival, { one: '# day', other: '# days' })}`;
  return passed.length > 0 ? t`None had an assignee` : t`None matched`;
};

const studyColumns = (rules: readonly DraftRule[]): Column<DryRunStudy>[] => [
  {
    id: 'arrivedAt',
    header: t`Arrived`,
    meta: { card: { label: t`Arrived`, order: 1 } },
    cell: ({ row }) => formatMoment(row.original.arrivedAt),
  },
  {
    id: 'study',
    header: t`Study`,
    meta: { isRowName: true },
    cell: ({ row: { original } }) => (
      <Link to="/studies/$id" params={{ id: original.id }}>
        {isolateText(original.description) || t`Study`}
      </Link>
    ),
  },
  {
    id: 'rule',
    header: t`Rule`,
    meta: { card: { label: t`Rule`, order: 2 } },
    cell: ({ row: { original } }) => {
      const name = original.rule === null ? '' : (rules[original.rule]?.name ?? '');
      return name ? isolateText(name) : <span className="muted">{withoutRule(original)}</span>;
    },
  },
  {
    id: 'assignee',
    header: t`Assignee`,
    meta: { card: { label: t`Assignee`, order: 3 } },
    cell: ({ row }) => isolateText(row.original.assignee),
  },
  {
    id: 'passed',
    header: t`Rules without assignee`,
    meta: { takesRest: true, card: { label: t`Rules without assignee`, order: 4 } },
    cell: ({ row }) => passedText(row.original, rules),
  },
];
