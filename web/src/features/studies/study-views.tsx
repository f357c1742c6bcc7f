import { studies, type StudyStatus } from '@radwork/contract/studies';
import { useQuery } from '@tanstack/react-query';
import { query } from '#core/api.ts';
import { studyStatusLabel } from '#ui/study-status.tsx';
import styles from './study-views.module.css';

const views: readonly (StudyStatus | undefined)[] = [undefined, 'PENDING', 'ASSIGNED', 'IN_PROGRESS'];

type Props = { current: StudyStatus | undefined; onView: (status: StudyStatus | undefined) => void };

/** How many studies there are, and how many wait at each step; pressing one shows them. */
export function StudyViews({ current, onView }: Props) {
  return (
    <div className={styles.views} role="group" aria-label="Worklists">
      {views.map((status) => (
        <View key={status ?? 'all'} status={status} isCurrent={status === current} onView={onView} />
      ))}
    </div>
  );
}

function View({
  status,
  isCurrent,
  onView,
}: { status: StudyStatus | undefined; isCurrent: boolean } & Pick<Props, 'onView'>) {
  const counted = useQuery({
    ...query(studies.list, { query: { status, size: 1 } }),
    select: ({ totalElements }) => totalElements,
  });
  return (
    <button type="button" className={styles.view} aria-pressed={isCurrent} onClick={() => onView(status)}>
      {status ? studyStatusLabel(status) : 'All'}{' '}
      {counted.data !== undefined && <span className={styles.count}>{counted.data.toLocaleString('en-US')}</span>}
    </button>
  );
}
