import { reports } from '@radwork/contract/reports';
import { useQuery } from '@tanstack/react-query';
import { useLook } from '#core/use-look.ts';
import { ErrorState, Skeleton } from '#ui/states.tsx';
import styles from './reports-screen.module.css';
import { AddendaFollow, PartText, SignedAddenda } from './signed-addenda.tsx';

/** The text of a report with what was signed beneath it, read without leaving the list. */
export function WholeReport({ reportId }: { reportId: string }) {
  const { data, error, refetch } = useQuery(useLook(reports.get, { params: { id: reportId } }));
  if (error) return <ErrorState failed="Error loading report" error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={5} label="Loading report" />;
  return (
    <article className={styles.reading} aria-label="Report text">
      <AddendaFollow addenda={data.addenda} />
      <PartText number={0} content={data.content} />
      <SignedAddenda addenda={data.addenda} />
    </article>
  );
}
