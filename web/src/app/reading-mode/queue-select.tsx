import { t } from '@lingui/core/macro';
import { NativeSelect } from '@mantine/core';
import { groups } from '@radwork/contract/identity/groups';
import {
  groupOfQueue,
  type ReadingQueue,
  readingQueueChoice,
  readingQueueLabels,
  readingQueues,
} from '@radwork/contract/reading/reading-queue';
import { useQuery } from '@tanstack/react-query';
import { query } from '#core/http/api.ts';
import { useUsableViews } from '#imaging/studies/saved-views/use-saved-views.ts';

type Props = { queue: ReadingQueue; onChoose: (queue: ReadingQueue) => void };

/** Chooses the queue of the reading mode: a standard queue, a group of the user, or a saved view. */
export function QueueSelect({ queue, onChoose }: Props) {
  const ownGroups = useQuery(query(groups.list, {})).data?.filter(({ isOwn }) => isOwn) ?? [];
  const views = useUsableViews() ?? [];
  const choices = [
    {
      group: t`Queues`,
      items: readingQueues.map((value): Choice => ({ value, label: readingQueueLabels[value] })),
    },
    { group: t`Groups`, items: ownGroups.map(({ id, name }): Choice => ({ value: `GROUP:${id}`, label: name })) },
    { group: t`Saved views`, items: views.map(({ id, name }): Choice => ({ value: `VIEW:${id}`, label: name })) },
  ].filter(({ items }) => items.length > 0);
  const isListed = choices.some(({ items }) => items.some(({ value }) => value === queue));
  return (
    <NativeSelect
      size="xs"
      aria-label={t`Queue`}
      value={queue}
      data={isListed ? choices : [...choices, { value: queue, label: nameUntilLoaded(queue) }]}
      onChange={({ currentTarget }) => {
        const { data: chosen } = readingQueueChoice.safeParse(currentTarget.value);
        if (chosen) onChoose(chosen);
      }}
    />
  );
}

type Choice = { value: ReadingQueue; label: string };

/** Names the chosen queue while groups and views load, or when the user is not a member of the group. */
const nameUntilLoaded = (queue: ReadingQueue): string => (groupOfQueue(queue) === undefined ? t`Saved view` : t`Group`);
