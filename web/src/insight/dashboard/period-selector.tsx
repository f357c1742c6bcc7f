import { t } from '@lingui/core/macro';
import { DayRange } from '#ui/forms/day-range.tsx';
import { fieldErrorsBy, useFilterForm } from '#ui/lists/use-filter-form.ts';
import { ViewTabs } from '#ui/lists/view-tabs.tsx';
import { periodQuery } from '@radwork/contract/insight/dashboard';
import styles from './dashboard.module.css';
import { type DashboardSearch, type NamedPeriod, periodLabels, periodNames } from './dashboard-search.ts';

type Props = { search: DashboardSearch; onChange: (next: DashboardSearch) => void };

/** Chooses the period of the figures: a period that ends today, or two dates. */
export function PeriodSelector({ search, onChange }: Props) {
  const isCustom = Boolean(search.from ?? search.to);
  return (
    <div className={styles.period}>
      <ViewTabs<NamedPeriod | 'custom'>
        label={t`Period`}
        current={isCustom ? 'custom' : (search.period ?? '30d')}
        views={periodNames.map((value) => ({ value, label: periodLabels[value] }))}
        onView={(period) => period !== 'custom' && onChange({ period: period === '30d' ? undefined : period })}
      />
      <OwnDays search={search} onChange={onChange} />
    </div>
  );
}

type Days = Pick<DashboardSearch, 'from' | 'to'>;
const daysOf = ({ from, to }: Days): Days => ({ from: from || undefined, to: to || undefined });
const errorsIn = ({ from, to }: Days) => fieldErrorsBy(periodQuery, { from, to });

function OwnDays({ search: { from, to }, onChange }: Props) {
  const { typed, type } = useFilterForm({
    currentValues: { from, to },
    filterOf: daysOf,
    errorsIn,
    onFilter: onChange,
  });
  const errors = errorsIn(typed);
  return (
    <DayRange
      from={{ label: t`From day`, value: typed.from, error: errors['from'], onChange: (day) => type({ from: day }) }}
      to={{ label: t`To day`, value: typed.to, error: errors['to'], onChange: (day) => type({ to: day }) }}
    />
  );
}
