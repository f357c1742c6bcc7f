import { t } from '@lingui/core/macro';
import { Button, Popover } from '@mantine/core';
import type { StudyCondition } from '@radwork/contract/imaging/study-conditions';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { Skeleton } from '#ui/feedback/content-states.tsx';
import { partOnDemand, usePrefetchWhenIdle } from '#ui/feedback/on-demand.tsx';
import { useShortcuts } from '#ui/keyboard/shortcuts.ts';
import type { Person } from './condition-labels.ts';

type Props = { people: readonly Person[]; onAdd: (condition: StudyCondition) => void };

const FieldsOnDemand = partOnDemand(async () => (await import('./condition-fields.tsx')).ConditionFields);

/** Button that opens a form for one more condition. */
export function ConditionForm({ people, onAdd }: Props) {
  const [isOpen, setOpen] = useState(false);
  usePrefetchWhenIdle(FieldsOnDemand);
  useShortcuts(t`Studies`, [{ keys: 'f', does: t`Add filter`, run: () => setOpen(true), hint: t`filter` }]);
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus returnFocus width={340}>
      <Popover.Target>
        <Button
          data-add
          size="compact-xs"
          variant="default"
          leftSection={<IconPlus size={13} aria-hidden />}
          onClick={() => setOpen(!isOpen)}
        >
          {t`Add filter`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t`Add filter`}>
        <FieldsOnDemand
          people={people}
          waiting={<Skeleton lines={3} />}
          onAdd={(condition) => {
            setOpen(false);
            onAdd(condition);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}
