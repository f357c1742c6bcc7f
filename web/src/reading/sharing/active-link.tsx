import { plural, t } from '@lingui/core/macro';
import { Button, CopyButton, TextInput } from '@mantine/core';
import { health } from '@radwork/contract/identity/health';
import type { ReportLink } from '@radwork/contract/reading/sharing';
import { useQuery } from '@tanstack/react-query';
import { QRCodeSVG } from 'qrcode.react';
import { query } from '#core/http/api.ts';
import { confirm } from '#ui/dialogs/confirm.tsx';
import { formatMoment } from '#ui/formats/formats.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import { useNow } from '#ui/formats/use-now.ts';
import { useRevokeLink } from './link-actions.ts';
import styles from './share-dialog.module.css';

/** An active share link: QR code, address, copy and revoke buttons, required proof and expiry. */
export function ActiveLink({ reportId, link }: { reportId: string; link: ReportLink }) {
  const about = useQuery(query(health.about, {}));
  const now = useNow();
  const [expiry, lockEnd] = [formatMoment(link.expiresAt), formatMoment(link.lockedUntil)];
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
        <p>{accessText(link)}</p>
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
          {t`Valid until ${expiry}.`} {openings(link)}
        </p>
        {link.lockedUntil !== null && Date.parse(link.lockedUntil) > now.getTime() && (
          <Notice tone="warning">{t`Too many wrong codes. The link is locked until ${lockEnd}.`}</Notice>
        )}
      </div>
    </div>
  );
}

function RevokeButton({ reportId, link }: { reportId: string; link: ReportLink }) {
  const revoke = useRevokeLink();
  const { openCount } = link;
  const confirmRevoke = async () => {
    const agreed = await confirm({
      question: t`Revoke this link?`,
      consequence: t`${plural(openCount, { 0: 'The link was never opened.', one: 'The link was opened once.', other: 'The link was opened # times.' })} After that, the link no longer opens the report. To share the report again, create another link.`,
      verb: t`Revoke link`,
    });
    if (agreed) revoke.mutate({ params: { id: reportId } });
  };
  return (
    <Button variant="default" loading={revoke.isPending} onClick={() => void confirmRevoke()}>
      {t`Revoke`}
    </Button>
  );
}

const accessText = ({ question }: ReportLink): string => {
  if (question === 'PASSCODE') {
    return t`Anyone with this link and the passcode can view the finalized report. Send the passcode separately.`;
  }
  if (question === 'BIRTH_DATE') {
    return t`Anyone with this link and the patient’s date of birth can view the finalized report.`;
  }
  return t`Anyone with this link can view the finalized report without signing in.`;
};

const openings = ({ openCount, maxOpens, lastOpenedAt }: ReportLink): string => {
  const last = formatMoment(lastOpenedAt);
  return [
    openCount === 0
      ? t`Not opened yet.`
      : t`${plural(openCount, { one: 'Opened once', other: 'Opened # times' })}, last on ${last}.`,
    maxOpens !== null && t`Maximum opens: ${maxOpens}.`,
  ]
    .filter(Boolean)
    .join(' ');
};
