import { Button, Tabs } from '@mantine/core';
import { studies } from '@radwork/contract/studies';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { may } from '#core/session.ts';
import { ScreenTitle } from '#ui/screen-title.tsx';
import { DicomFilesTab } from './dicom-files-tab.tsx';
import styles from './upload-screen.module.css';

/** /studies/create: images into the archive, from this computer or from an archive elsewhere. */
export function UploadScreen({ dicomwebTab }: { dicomwebTab: ReactNode }) {
  return (
    <div className={styles.screen}>
      <ScreenTitle title="Upload Study" actions={may(studies.create) && <RegisterLink />} />
      <Tabs defaultValue="files" className={styles.tabs} keepMounted>
        <Tabs.List className={styles.list}>
          <Tabs.Tab value="files">DICOM Files</Tabs.Tab>
          <Tabs.Tab value="dicomweb">DICOMWEB</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="files" className={styles.panel}>
          <DicomFilesTab />
        </Tabs.Panel>
        <Tabs.Panel value="dicomweb" className={styles.panel}>
          {dicomwebTab}
        </Tabs.Panel>
      </Tabs>
    </div>
  );
}

function RegisterLink() {
  return (
    <Button
      variant="default"
      renderRoot={(props) => <Link to="/studies/create" search={{ form: 'register' }} {...props} />}
    >
      Register without images
    </Button>
  );
}
