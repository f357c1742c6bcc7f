import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, CopyButton, TextInput } from '@mantine/core';
import { health } from '@radwork/contract/health';
import type { ReportLink } from '@radwork/contract/report-links';
import { useQuery } from '@tanstack/react-query';
import { QRCodeSVG } from 'qrcode.react';
import { query } from '#core/api.ts';
import { confirm } from '#ui/confirm.tsx';
import { formatMoment } from '#ui/formats.ts';
import { Notice } from '#ui/notice.tsx';
import { useNow } from '#ui/now.ts';
import { useRevokeLink } from './link-actions.ts';
import styles from './share-dialog.module.css';

/** An active link: QR code, address, copy and revoke buttons, question and expiry. */
export function OpenLink({ reportId, link }: { reportId: string; link: ReportLink }) {
  const about = useQuery(query(health.about, {}));
  const now = useNow();
  const address = `${about.data?.publicUrl ?? window.location.origin}/portal/report/${link.linkHash}`;
  return (
    <div className={styles.share}>
      <QRCodeSVG
        className={styles.code}
        value={address}
        size={168}
        level="M"
        marginSize={2}
        title={t`QR code of the link`}
      />
      <div className={styles.words}>
        <p>{whoReads(link)}</p>
        <TextInput label={t`Link`} value={address} readOnly onFocus={(event) => event.currentTarget.select()} />
        <div className={styles.buttons}>
          <Button component="a" href={address} target="_blank" rel="noopener noreferrer">
            {t`Open link`}
          </Button>
          <CopyButton value={address}>
            {({ copied, copy }) => (
              <Button variant="default" onClick={copy}>
                {copied ? t`Copied` : t`Copy`}
              </Button>
            )}
          </CopyButton>
          <RevokeButton reportId={reportId} link={link} />
        </div>
        <p className="muted numeric">
          <Trans>
            Valid until {formatMoment(link.expiresAt)}. {openings(link)}
          </Trans>
        </p>
        {link.lockedUntil !== null && Date.parse(link.lockedUntil) > now.getTime() && (
          <Notice tone="warning">
            <Trans>
              Too many wrong codes: the link waits until {formatMoment(link.lockedUntil)}. Until then it opens for
              nobody.
            </Trans>
          </Notice>
        )}
      </div>
    </div>
  );
}

function RevokeButton({ reportId, link }: { reportId: string; link: ReportLink }) {
  const revoke = useRevokeLink();
  const ask = async () => {
    const agreed = await confirm({
      question: t`Revoke this link?`,
      consequence: t`Whoever holds the link or its code can no longer open the report${
        link.openCount > 0 ? `; it was opened ${times(link.openCount)}` : ''
      }. Sharing again makes another link, which has to be handed out anew.`,
      verb: t`Revoke link`,
    });
    if (agreed) revoke.mutate({ params: { id: reportId } });
  };
  return (
    <Button variant="default" loading={revoke.isPending} onClick={() => void ask()}>
      {t`Revoke`}
    </Button>
  );
}

const whoReads = ({ question }: ReportLink): string => {
  if (question === 'PASSCODE') {
    return 'Anyone holding this link and the passcode can read the finalized report. Hand out the passcode by another way.';
  }
  if (question === 'BIRTH_DATE') {
    return "Anyone holding this link who knows the patient's date of birth can read the finalized report.";
  }
  return 'Anyone holding this link can read the finalized report without signing in.';
};

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);

const openings = ({ openCount, maxOpens, lastOpenedAt }: ReportLink): string => {
  const limit = maxOpens === null ? '' : ` It can be opened ${times(maxOpens)} in all.`;
  if (openCount === 0) return `Not opened yet.${limit}`;
  return `Opened ${times(openCount)}, last on ${formatMoment(lastOpenedAt)}.${limit}`;
};
