import { t } from '@lingui/core/macro';
import { Tabs } from '@mantine/core';
import { WebhooksPanel } from '#imaging/remote-archives/webhooks/webhooks-panel.tsx';
import { ScreenTitle } from '#ui/layout/screen-title.tsx';
import { ConfigurationsPanel } from './configurations-panel.tsx';
import { DevicesPanel } from '#imaging/remote-archives/devices/devices-panel.tsx';
import styles from '#imaging/remote-archives/remote-archives.module.css';

/** Screen /remote-config-page: remote archives, DICOM devices allowed to connect, and webhooks. */
export function ConfigurationsScreen() {
  return (
    <>
      <ScreenTitle title={t`Remote Configurations`} />
      <Tabs defaultValue="archives" className={styles.tab} keepMounted={false}>
        <Tabs.List className={styles.tabs}>
          <Tabs.Tab value="archives">{t`Archives`}</Tabs.Tab>
          <Tabs.Tab value="devices">{t`DICOM devices`}</Tabs.Tab>
          <Tabs.Tab value="webhooks">{t`Webhooks`}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="archives" className={styles.tab}>
          <ConfigurationsPanel />
        </Tabs.Panel>
        <Tabs.Panel value="devices" className={styles.tab}>
          <DevicesPanel />
        </Tabs.Panel>
        <Tabs.Panel value="webhooks" className={styles.tab}>
          <WebhooksPanel />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
