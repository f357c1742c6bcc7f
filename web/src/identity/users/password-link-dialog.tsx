import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, CopyButton, TextInput } from '@mantine/core';
import type { PasswordLink } from '@radwork/contract/identity/users';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Notice } from '#ui/feedback/notice.tsx';
import styles from './users.module.css';

/** Link with which a user sets a password, shown to the administrator who created it. */
export type CreatedPasswordLink = PasswordLink & { username: string; isInvitation: boolean };

/** Says where the link was sent, or shows the link once. */
export function PasswordLinkDialog({
  passwordLink,
  onClose,
}: {
  passwordLink: CreatedPasswordLink | undefined;
  onClose: () => void;
}) {
  const title = passwordLink?.isInvitation ? t`Invitation` : t`Password reset`;
  return (
    <Dialog opened={passwordLink !== undefined} onClose={onClose} title={title} size={520}>
      {passwordLink?.link ? <Shown link={passwordLink.link} handOver={passwordLink} /> : <p>{sent(passwordLink)}</p>}
      <p className="muted">
        {passwordLink?.isInvitation
          ? t`The account cannot sign until a second administrator confirms it.`
          : t`The account cannot sign until its owner or a second administrator confirms it.`}
      </p>
      <div className={styles.buttons}>
        <Button variant="default" onClick={onClose}>
          {t`Done`}
        </Button>
      </div>
    </Dialog>
  );
}

const sent = (handOver: CreatedPasswordLink | undefined) => {
  const address = handOver?.sentTo ?? '';
  return t`A link to set a password was sent to ${address}.`;
};

function Shown({ link, handOver }: { link: string; handOver: CreatedPasswordLink }) {
  const { username } = handOver;
  const address = new URL(link, window.location.origin).href;
  return (
    <div className={styles.stack}>
      <p>
        <Trans>
          This installation sends no e-mail. Give this link only to <strong>{username}</strong>.
        </Trans>{' '}
        {handOver.isInvitation ? t`The link works once, for 7 days.` : t`The link works once, for 30 minutes.`}
      </p>
      <div className={styles.link}>
        <TextInput
          aria-label={t`Link`}
          readOnly
          value={address}
          className={styles.address}
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton value={address}>
          {({ copied, copy }) => (
            <Button data-autofocus onClick={copy}>
              {copied ? t`Copied` : t`Copy link`}
            </Button>
          )}
        </CopyButton>
      </div>
      <Notice tone="warning">{t`The link is shown only once. Copy it before you close this dialog.`}</Notice>
    </div>
  );
}
