import { Tabs } from '@mantine/core';
import { ScreenTitle } from '#ui/screen-title.tsx';
import { EmptyState } from '#ui/states.tsx';
import { DicomFilesTab } from './dicom-files-tab.tsx';
import styles from './upload-screen.module.css';

/** /studies/create: images into the archive, from this computer or from an archive elsewhere. */
export function UploadScreen() {
  return (
    <div className={styles.screen}>
      <ScreenTitle title="Upload Study" />
      <Tabs defaultValue="files" className={styles.tabs} keepMounted>
        <Tabs.List className={styles.list}>
          <Tabs.Tab value="files">DICOM Files</Tabs.Tab>
          <Tabs.Tab value="dicomweb">DICOMWEB</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="files" className={styles.panel}>
          <DicomFilesTab />
        </Tabs.Panel>
        <Tabs.Panel value="dicomweb" className={styles.panel}>
          <EmptyState
            title="Retrieval from an archive is not built yet"
            detail="Here you will connect to a DICOMweb archive by host and port, search its studies and retrieve them into this one. It comes with issue 3."
          />
        </Tabs.Panel>
      </Tabs>
    </div>
  );
}
