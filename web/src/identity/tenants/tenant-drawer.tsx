import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, CopyButton, TextInput } from '@mantine/core';
import type { Reply } from '@radwork/contract/core/endpoint';
import { type Tenant, tenants } from '@radwork/contract/identity/tenants';
import { useState } from 'react';
import { SideDialog } from '#ui/dialogs/dialog.tsx';
import { EditTenantForm, NewTenantForm } from './tenant-forms.tsx';
import styles from './tenants.module.css';

type Created = Reply<typeof tenants.create>;
type Props = { edited: Tenant | 'new' | undefined; onClose: () => void };

/** Drawer with the form of an organization. After creation, shows the link for its administrator. */
export function TenantDrawer({ edited, onClose }: Props) {
  const [created, setCreated] = useState<Created>();
  const close = () => {
    setCreated(undefined);
    onClose();
  };
  const name = created?.tenant.name ?? (edited === 'new' ? '' : (edited?.name ?? ''));
  return (
    <SideDialog
      opened={edited !== undefined}
      onClose={close}
      position="right"
      size={460}
      title={created ? t`${name} created` : edited === 'new' ? t`Create organization` : t`Edit ${name}`}
      closeButtonProps={{ 'aria-label': t`Close` }}
    >
      {created && <Invitation created={created} onClose={close} />}
      {!created && edited === 'new' && <NewTenantForm onCreated={setCreated} onCancel={close} />}
      {edited !== undefined && edited !== 'new' && <EditTenantForm key={edited.id} tenant={edited} onClose={close} />}
    </SideDialog>
  );
}

function Invitation({ created: { invitation }, onClose }: { created: Created; onClose: () => void }) {
  const { username, sentTo } = invitation;
  const address = sentTo ?? '';
  return (
    <div className={styles.form}>
      {invitation.link === null ? (
        <p>
          <Trans>
            A link was sent to {address}. The first administrator, <strong>{username}</strong>, sets a password with it.
            The link works once, for 7 days.
          </Trans>
        </p>
      ) : (
        <LinkToHandOver link={invitation.link} username={invitation.username} />
      )}
      <div className={styles.buttons}>
        <Button onClick={onClose}>{t`Done`}</Button>
      </div>
    </div>
  );
}

function LinkToHandOver({ link, username }: { link: string; username: string }) {
  const address = new URL(link, window.location.origin).href;
  return (
    <>
      <p>
        <Trans>
          This installation sends no e-mail. Send this link to the first administrator, <strong>{username}</strong>, to
          set a password. It works once, for 7 days, and is not shown again.
        </Trans>
      </p>
      <div className={styles.link}>
        <TextInput label={t`Link`} readOnly value={address} onFocus={(event) => event.currentTarget.select()} />
        <CopyButton value={address}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? t`Copied` : t`Copy link`}
            </Button>
          )}
        </CopyButton>
      </div>
    </>
  );
}
