import { Button, TextInput } from '@mantine/core';
import { loadOnDemand } from '#ui/feedback/on-demand.tsx';
import { EntryPage } from '#ui/layout/entry-page.tsx';
import { PaneSwitch } from '#ui/layout/pane-switch.tsx';
import { ScreenTitle } from '#ui/layout/screen-title.tsx';
import { LoadedSettings, SettingsSheet } from '#ui/forms/settings-screen.tsx';
import { SettingsSection } from '#ui/forms/settings-section.tsx';
import { Skeleton } from '#ui/feedback/content-states.tsx';
import { StatusPill } from '#ui/marks/status-pill.tsx';
import { ignore, longText, never, refused } from './data.ts';
import type { Specimens } from './specimens.ts';
import { Stage } from './stage.tsx';

const Never = loadOnDemand<object>(() => never);

const again = () => Promise.resolve();

const sheet = (state: { isDirty?: boolean; save?: { isPending: boolean; error: Error | null } }) => (
  <Stage width={640} height={260}>
    <SettingsSheet
      title="Report settings"
      lost="Changed settings will be lost."
      formId="gallery-form"
      isDirty={state.isDirty ?? false}
      save={state.save ?? { isPending: false, error: null }}
      failed="Could not save the settings"
      onLoadAgain={again}
    >
      <SettingsSection title="Signature" about="Text below each signature.">
        <TextInput label="Text" defaultValue="Electronically signed" />
      </SettingsSection>
    </SettingsSheet>
  </Stage>
);

const loaded = (name: string, queryFn: () => Promise<string>) => (
  <LoadedSettings
    title="Settings"
    failed="Could not load the settings"
    settings={{ queryKey: ['gallery', 'settings', name], queryFn }}
  >
    {(stored) => <p>{stored}</p>}
  </LoadedSettings>
);

const panes = [
  ['list', 'List'],
  ['images', 'Images'],
  ['report', 'Report'],
] as const;

export const specimens: Specimens = {
  ScreenTitle: {
    plain: <ScreenTitle title="Studies" />,
    full: (
      <ScreenTitle title="Macros" actions={<Button>New macro</Button>}>
        <StatusPill tone="info" label="12 macros" />
      </ScreenTitle>
    ),
    'long text': <ScreenTitle title={longText} actions={<Button>New macro</Button>} />,
  },
  SettingsSection: {
    filled: (
      <SettingsSection title="Mail" about="Address of the sender.">
        <TextInput label="Sender" defaultValue="reports@example.org" />
      </SettingsSection>
    ),
    'long text': (
      <SettingsSection title={longText} about={longText}>
        <TextInput label={longText} description={longText} error={longText} />
      </SettingsSection>
    ),
  },
  SettingsSheet: {
    saved: sheet({}),
    changed: sheet({ isDirty: true }),
    loading: sheet({ isDirty: true, save: { isPending: true, error: null } }),
    error: sheet({ isDirty: true, save: { isPending: false, error: refused } }),
  },
  LoadedSettings: {
    loading: loaded('loading', () => never),
    error: loaded('error', () => Promise.reject(refused)),
    filled: loaded('filled', () => Promise.resolve('The form of these settings')),
  },
  PaneSwitch: {
    first: <PaneSwitch panes={panes} current="list" onPane={ignore} />,
    'long text': <PaneSwitch panes={[...panes, ['long', longText]]} current="long" onPane={ignore} />,
  },
  EntryPage: {
    filled: (
      <EntryPage>
        <TextInput label="Username" />
      </EntryPage>
    ),
  },
  loadOnDemand: { loading: <Never waiting={<Skeleton lines={2} />} /> },
};
