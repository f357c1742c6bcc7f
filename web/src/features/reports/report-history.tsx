import { Button, Drawer } from '@mantine/core';
import { type Report, type ReportAction, reports } from '@radwork/contract/reports';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { query } from '#core/api.ts';
import { formatMoment } from '#ui/formats.ts';
import { ErrorState, Skeleton } from '#ui/states.tsx';
import styles from './report-history.module.css';
import { ReportText } from '#editor/report-text.tsx';

type Props = { report: Report; opened: boolean; onClose: () => void };

const actions: Record<ReportAction, string> = {
  CREATED: 'Created',
  SAVED: 'Saved',
  REVIEW_REQUESTED: 'Review requested',
  APPROVED: 'Approved',
  REVISION_REQUESTED: 'Revision requested',
  FINALIZED: 'Finalized',
};

/** Everything that happened to a report, newest first, and what it said each time. */
export function ReportHistory({ report, opened, onClose }: Props) {
  const [version, setVersion] = useState<number>();
  const close = () => {
    setVersion(undefined);
    onClose();
  };
  return (
    <Drawer opened={opened} onClose={close} position="right" size={520} title="Report history">
      {version === undefined ? (
        <Versions report={report} onChoose={setVersion} />
      ) : (
        <Version report={report} version={version} onBack={() => setVersion(undefined)} />
      )}
    </Drawer>
  );
}

function Versions({ report, onChoose }: { report: Report; onChoose: (version: number) => void }) {
  return (
    <ol className={styles.versions}>
      {report.history.map(({ version, action, actor, at, comment }) => (
        <li key={version} className={styles.version}>
          <strong>{actions[action]}</strong>
          <p className="muted numeric">
            {actor.name}, {formatMoment(at)}
          </p>
          {comment && <p className={styles.comment}>{comment}</p>}
          <Button variant="default" size="compact-xs" mt={4} onClick={() => onChoose(version)}>
            Show version {version}
          </Button>
        </li>
      ))}
    </ol>
  );
}

function Version({ report, version, onBack }: { report: Report; version: number; onBack: () => void }) {
  const asked = useQuery(query(reports.version, { params: { id: report.id, version: String(version) } }));
  return (
    <>
      <div className={styles.head}>
        <Button variant="default" size="compact-sm" onClick={onBack}>
          All versions
        </Button>
        <h3>Version {version}</h3>
      </div>
      {asked.isPending && <Skeleton label="Loading version" />}
      {asked.error && (
        <ErrorState failed="Error loading this version" error={asked.error} onRetry={() => void asked.refetch()} />
      )}
      {asked.data && (
        <div className={styles.text}>
          <ReportText html={asked.data.content} />
        </div>
      )}
    </>
  );
}
