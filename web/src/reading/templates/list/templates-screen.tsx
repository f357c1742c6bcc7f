import { t } from '@lingui/core/macro';
import { Tabs } from '@mantine/core';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { ScreenTitle } from '#ui/layout/screen-title.tsx';
import { EditGlobalTemplate, EditTemplate } from '#reading/templates/editing/edit-template.tsx';
import { GlobalTemplatesPanel } from './global-templates-panel.tsx';
import { MacrosPanel } from '#reading/templates/macros/macros-panel.tsx';
import { TemplatesPanel } from './templates-panel.tsx';
import { type TemplatesSearch, templateTabs } from './templates-search.ts';
import styles from './templates-screen.module.css';

const route = getRouteApi('/signed-in/shell/templates');

/** Screen /templates: own templates, global templates and shared macros. The address holds the tab and filters. */
export function TemplatesScreen() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const { tab = 'templates', edit } = search;
  const change = (next: TemplatesSearch) => void navigate({ to: '/templates', search: { ...search, ...next } });
  const open = (id: string | undefined) => change({ edit: id });
  // Leaves the editor after a save without asking about unsaved text.
  const goOn = (id: string) =>
    void navigate({ to: '/templates', search: { ...search, edit: id }, ignoreBlocker: true });
  if (edit && tab === 'templates') return <EditTemplate key={edit} id={edit} onOpen={open} onCreated={goOn} />;
  if (edit && tab === 'global') return <EditGlobalTemplate key={edit} id={edit} onOpen={open} onCreated={goOn} />;

  return (
    <>
      <ScreenTitle title={t`Templates Management`} />
      <Tabs
        value={tab}
        onChange={(next) =>
          void navigate({ to: '/templates', search: { tab: templateTabs.find((templateTab) => templateTab === next) } })
        }
        className={styles.tab}
        keepMounted={false}
      >
        <Tabs.List className={styles.tabs}>
          <Tabs.Tab value="templates">{t`Templates`}</Tabs.Tab>
          <Tabs.Tab value="global">{t`Global templates`}</Tabs.Tab>
          <Tabs.Tab value="macros">{t`Macros`}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="templates" className={styles.tab}>
          <TemplatesPanel search={search} onSearch={change} onOpen={open} />
        </Tabs.Panel>
        <Tabs.Panel value="global" className={styles.tab}>
          <GlobalTemplatesPanel search={search} onSearch={change} onOpen={open} />
        </Tabs.Panel>
        <Tabs.Panel value="macros" className={styles.padded}>
          <MacrosPanel />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
