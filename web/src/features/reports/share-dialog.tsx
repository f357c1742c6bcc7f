import { Button, CopyButton, Modal, TextInput } from '@mantine/core';
import { health } from '@radwork/contract/health';
import type { ReportLink } from '@radwork/contract/report-links';
import { type Report, reports } from '@radwork/contract/reports';
import { useMutation, useQuery } from '@tanstack/react-query';
import { QRCodeSVG } from 'qrcode.react';
import { useEffect } from 'react';
import { call, query, useAction, wordsFor } from '#core/api.ts';
import { confirm } from '#ui/confirm.tsx';
import { formatMoment } from '#ui/formats.ts';
import { Notice } from '#ui/notice.tsx';
import { Skeleton } from '#ui/states.tsx';
import styles from './share-dialog.module.css';

type Props = { report: Report; opened: boolean; onClose: () => void };

/** The link of a finalized report, as a code to scan and as an address to open or copy. */
export function ShareDialog({ report, opened, onClose }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title="Share report" size={520}>
      <Sharing report={report} onClose={onClose} />
    </Modal>
  );
}

function Sharing({ report, onClose }: Omit<Props, 'opened'>) {
  const { mutate: share, ...shared } = useMutation({
    mutationFn: () => call(reports.share, { params: { id: report.id }, body: {} }),
  });
  // Asking for the link makes it; asking again answers with the same one.
  useEffect(() => share(), [share]);
  if (shared.data) return <Link report={report} link={shared.data} onClose={onClose} />;
  if (!shared.error) return <Skeleton lines={4} label="Making the link" />;
  return (
    <Notice tone="danger">
      {wordsFor(shared.error, 'Error sharing report')}
      <div className={styles.buttons}>
        <Button variant="default" onClick={() => share()}>
          Retry
        </Button>
      </div>
    </Notice>
  );
}

function Link({ report, link, onClose }: { report: Report; link: ReportLink; onClose: () => void }) {
  const about = useQuery(query(health.about, {}));
  const address = `${about.data?.publicUrl ?? window.location.origin}/portal/report/${link.linkHash}`;
  const revoke = useAction(reports.revoke, { done: 'Link revoked', failed: 'Error revoking the link' });
  const askToRevoke = async () => {
    const agreed = await confirm({
      question: 'Revoke this link?',
      consequence:
        'Whoever holds the link or its code can no longer open the report. Sharing again makes another link.',
      verb: 'Revoke link',
    });
    if (agreed) revoke.mutate({ params: { id: report.id } }, { onSuccess: onClose });
  };
  return (
    <div className={styles.share}>
      <QRCodeSVG
        className={styles.code}
        value={address}
        size={168}
        level="M"
        marginSize={2}
        title="QR code of the link"
      />
      <div className={styles.words}>
        <p>Anyone holding this link can read the finalized report without signing in.</p>
        <TextInput label="Link" value={address} readOnly onFocus={(event) => event.currentTarget.select()} />
        <div className={styles.buttons}>
          <Button component="a" href={address} target="_blank" rel="noopener">
            Open link
          </Button>
          <CopyButton value={address}>
            {({ copied, copy }) => (
              <Button variant="default" onClick={copy}>
                {copied ? 'Copied' : 'Copy'}
              </Button>
            )}
          </CopyButton>
          <Button variant="default" loading={revoke.isPending} onClick={() => void askToRevoke()}>
            Revoke
          </Button>
        </div>
        <p className="muted numeric">
          Valid until {formatMoment(link.expiresAt)}. {openings(link)}
        </p>
      </div>
    </div>
  );
}

const openings = ({ openCount, lastOpenedAt }: ReportLink): string => {
  if (openCount === 0) return 'Not opened yet.';
  return `Opened ${openCount === 1 ? 'once' : `${openCount} times`}, last on ${formatMoment(lastOpenedAt)}.`;
};
