import { Button } from '@mantine/core';
import { type Report, reports } from '@radwork/contract/reports';
import { useQuery } from '@tanstack/react-query';
import { query } from '#core/api.ts';
import { Dialog } from '#ui/dialog.tsx';
import { ErrorState, Skeleton } from '#ui/states.tsx';
import { LinkOpens } from './link-opens.tsx';
import { NewLinkForm } from './new-link-form.tsx';
import { OpenLink } from './open-link.tsx';

/** A report as somebody is shown it, who decides to share it. */
type Shown = Pick<Report, 'id' | 'patientRecordId'>;

type Props = { report: Shown; opened: boolean; onClose: () => void };

/** The link of a finalized report: made here, shown as a code to scan and an address, revoked, and who opened it. */
export function ShareDialog({ report, opened, onClose }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Share report" size={580}>
      <Sharing report={report} onClose={onClose} />
    </Dialog>
  );
}

function Sharing({ report, onClose }: { report: Shown; onClose: () => void }) {
  const { id: reportId } = report;
  const link = useQuery({ ...query(reports.link, { params: { id: reportId } }), refetchOnMount: 'always' });
  if (link.isPending) return <Skeleton lines={4} label="Loading the link" />;
  if (link.isLoadingError || link.data === undefined) {
    return (
      <ErrorState
        failed="Error sharing report"
        error={link.error}
        onRetry={() => void link.refetch()}
        action={
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
        }
      />
    );
  }
  return (
    <>
      {link.data ? (
        <OpenLink reportId={reportId} link={link.data} />
      ) : (
        <NewLinkForm report={report} onCancel={onClose} />
      )}
      <LinkOpens reportId={reportId} />
    </>
  );
}
