import { t } from '@lingui/core/macro';
import { Button, Tabs } from '@mantine/core';
import { studies } from '@radwork/contract/imaging/studies';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { may, useSession } from '#core/state/session.ts';
import { ScreenTitle } from '#ui/layout/screen-title.tsx';
import { DicomFilesTab } from './dicom-files-tab.tsx';
import styles from './upload-screen.module.css';
import { ownerOf } from './queue/upload-visit.ts';

/** Screen /studies/create: uploads images from this computer or imports them from a remote archive. */
export function UploadScreen({ dicomwebTab }: { dicomwebTab: ReactNode }) {
  const owner = useOwner();
  return (
    <div className={styles.screen}>
      <ScreenTitle title={t`Upload Study`} actions={may(studies.create) && <RegisterLink />} />
      <Tabs defaultValue="files" className={styles.tabs} keepMounted>
        <Tabs.List className={styles.list}>
          <Tabs.Tab value="files">{t`DICOM Files`}</Tabs.Tab>
          <Tabs.Tab value="dicomweb">{t`DICOMWEB`}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="files" className={styles.panel}>
          <DicomFilesTab key={owner} />
        </Tabs.Panel>
        <Tabs.Panel value="dicomweb" className={styles.panel}>
          {dicomwebTab}
        </Tabs.Panel>
      </Tabs>
    </div>
  );
}

/** Returns the owner of the screen. After a session ends, the owner stays the same until another user signs in. */
const useOwner = () => {
  const now = ownerOf(useSession());
  const [owner, setOwner] = useState(now);
  if (now !== undefined && now !== owner) setOwner(now);
  return owner;
};

function RegisterLink() {
  return (
    <Button
      variant="default"
      renderRoot={(props) => <Link to="/studies/create" search={{ form: 'register' }} {...props} />}
    >
      {t`Register without images`}
    </Button>
  );
}
