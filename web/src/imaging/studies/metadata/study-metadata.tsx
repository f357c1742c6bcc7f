import { t } from '@lingui/core/macro';
import { Tabs } from '@mantine/core';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { StudyAdministrative } from './study-administrative.tsx';
import { StudyDicomTags } from './study-dicom-tags.tsx';
import styles from './study-metadata.module.css';
import { StudyTechnical } from './study-technical.tsx';

/** Shows all metadata of a study in tabs: technical, administrative, DICOM. */
export function StudyMetadata({ study }: { study: StudyDetails }) {
  return (
    // Makes a panel without controls focusable, so that the keyboard can scroll it.
    <Tabs defaultValue="technical" keepMounted={false} className={styles.metadata}>
      <Tabs.List grow className={styles.tabs}>
        <Tabs.Tab value="technical">{t`Technical`}</Tabs.Tab>
        <Tabs.Tab value="administrative">{t`Administrative`}</Tabs.Tab>
        <Tabs.Tab value="dicom">{t`DICOM`}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="technical" tabIndex={0} className={styles.panel}>
        <StudyTechnical study={study} />
      </Tabs.Panel>
      <Tabs.Panel value="administrative" tabIndex={0} className={styles.panel}>
        <StudyAdministrative study={study} />
      </Tabs.Panel>
      <Tabs.Panel value="dicom" className={styles.tags}>
        <StudyDicomTags studyId={study.id} />
      </Tabs.Panel>
    </Tabs>
  );
}
