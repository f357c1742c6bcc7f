import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { type Report } from '@radwork/contract/reading/reports';
import { reportLinks } from '@radwork/contract/reading/sharing';
import { useQuery } from '@tanstack/react-query';
import { query } from '#core/http/api.ts';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { LinkAccessLog } from './link-access-log.tsx';
import { NewLinkForm } from './new-link-form.tsx';
import { ActiveLink } from './active-link.tsx';

/** The report as shown to the user who shares it. */
type ReportToShare = Pick<Report, 'id' | 'patientRecordId'>;

type Props = { report: ReportToShare; opened: boolean; onClose: () => void };

/** Share link of a finalized report: create, show as QR code and address, revoke, list openings. */
export function ShareDialog({ report, opened, onClose }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title={t`Share report`} size={580}>
      <Sharing report={report} onClose={onClose} />
    </Dialog>
  );
}

function Sharing({ report, onClose }: { report: ReportToShare; onClose: () => void }) {
  const { id: reportId } = report;
  const link = useQuery({ ...query(reportLinks.get, { params: { id: reportId } }), refetchOnMount: 'always' });
  if (link.isPending) return <Skeleton lines={4} label={t`Loading the link`} />;
  if (link.isLoadingError || link.data === undefined) {
    return (
      <ErrorState
        failed={t`Error sharing report`}
        error={link.error}
        onRetry={() => void link.refetch()}
        action={
          <Button variant="default" onClick={onClose}>
            {t`Close`}
          </Button>
        }
      />
    );
  }
  return (
    <>
      {link.data ? (
        <ActiveLink reportId={reportId} link={link.data} />
      ) : (
        <NewLinkForm report={report} onCancel={onClose} />
      )}
      <LinkAccessLog reportId={reportId} />
    </>
  );
}
