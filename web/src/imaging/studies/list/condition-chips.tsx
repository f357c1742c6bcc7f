import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { readConditions, type StudyCondition, textOfConditions } from '@radwork/contract/imaging/study-conditions';
import { IconX } from '@tabler/icons-react';
import { useRef } from 'react';
import { conditionWords, type Person } from './condition-labels.ts';
import styles from './condition-chips.module.css';
import { ConditionForm } from './condition-form.tsx';
import { sortLabel } from './sort-label.ts';
import type { StudiesSearch } from './studies-search.ts';

type Props = {
  search: StudiesSearch;
  people: readonly Person[];
  onFilter: (next: Partial<StudiesSearch>) => void;
};

/** Conditions of the list as chips, each with a button that removes it, and a form to add another. */
export function ConditionChips({ search, people, onFilter }: Props) {
  const conditions = readConditions(search.where);
  const bar = useRef<HTMLDivElement>(null);
  const set = (next: readonly StudyCondition[]) => onFilter({ where: textOfConditions(next) });
  const remove = (next: Partial<StudiesSearch>) => {
    // The pressed chip disappears, so the focus goes to the button that is always there.
    bar.current?.querySelector<HTMLElement>('[data-add]')?.focus();
    onFilter(next);
  };
  const sorting = sortLabel(search.sort);
  return (
    <div ref={bar} className={styles.bar} role="group" aria-label={t`Filters`}>
      <ConditionForm people={people} onAdd={(condition) => set([...conditions, condition])} />
      {conditions.map((condition, at) => (
        <Chip
          key={`${condition.field}.${condition.operator}.${condition.values.join()}`}
          label={conditionWords(condition, people)}
          onRemove={() => remove({ where: textOfConditions(conditions.toSpliced(at, 1)) })}
        />
      ))}
      {sorting && <Chip label={sorting} onRemove={() => remove({ sort: undefined })} />}
      {conditions.length > 1 && (
        <Button size="compact-xs" variant="subtle" onClick={() => remove({ where: undefined })}>
          {t`Remove all`}
        </Button>
      )}
    </div>
  );
}

function Chip({ label, onRemove }: { label: string; onRemove: () => void }) {
  return (
    <button type="button" className={styles.chip} aria-label={t`Remove ${label}`} title={label} onClick={onRemove}>
      <span className={styles.words}>{label}</span>
      <IconX size={12} stroke={2} aria-hidden />
    </button>
  );
}
