import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import {
  IconAdjustments,
  IconFileText,
  IconKeyboard,
  IconLayoutGrid,
  IconMaximize,
  type IconProps,
  IconSquare,
  IconColumns2,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { KeyCaps } from '#ui/key-caps.tsx';
import { keyCaps } from '#ui/shortcuts.ts';
import { Cine } from './cine.tsx';
import { reportKey } from './keyboard.ts';
import { type Layout, layoutNames, layouts } from './layouts.ts';
import type { WindowPreset } from './presets.ts';
import type { ShownImage, View } from './shown-image.ts';
import styles from './toolbar.module.css';
import { type ToolName, tools } from './tools.ts';
import { viewActions } from './view-actions.ts';
import { setWindow } from './view-commands.ts';

type Props = {
  view: View | undefined;
  shown: ShownImage | undefined;
  tool: ToolName;
  onTool: (tool: ToolName) => void;
  layout: Layout;
  onLayout: (layout: Layout) => void;
  onFullScreen: () => void;
  onHelp: () => void;
  isReportOpen: boolean | undefined;
  onReport: (() => void) | undefined;
};

/** What can be done with the picture in the current pane. Every button has a key, and says which. */
export function Toolbar(props: Props) {
  const { view, shown, tool, onTool, layout, onLayout, onFullScreen, onHelp, isReportOpen, onReport } = props;
  return (
    // A button that was clicked does not take the keyboard away from the picture.
    <div role="toolbar" aria-label="Picture" className={styles.toolbar} onMouseDown={(event) => event.preventDefault()}>
      <div className={styles.group}>
        {tools.map(({ name, label, key, icon }) => (
          <ToolbarButton
            key={name}
            label={label}
            keys={key}
            icon={icon}
            isPressed={name === tool}
            onClick={() => onTool(name)}
          />
        ))}
      </div>
      <div className={styles.group}>
        <Presets presets={shown?.presets ?? []} onChoose={({ range }) => view && setWindow(view.viewport, range)} />
        {viewActions.map(({ label, keys, icon, run }) => (
          <ToolbarButton
            key={label}
            label={label}
            keys={keys}
            icon={icon}
            isDisabled={!view || !shown}
            onClick={() => view && shown && run(view.viewport, shown)}
          />
        ))}
      </div>
      {view && view.images.length > 1 && <Cine key={view.viewport.id} view={view} />}
      <div className={`${styles.group} ${styles.page}`}>
        {onReport && (
          <ToolbarButton
            label="Report"
            keys={reportKey}
            icon={IconFileText}
            isPressed={isReportOpen === true}
            onClick={onReport}
          />
        )}
        <Layouts layout={layout} onLayout={onLayout} />
        <ToolbarButton label="Full screen" keys="m" icon={IconMaximize} onClick={onFullScreen} />
        <ToolbarButton label="Keyboard shortcuts" keys="?" icon={IconKeyboard} onClick={onHelp} />
      </div>
    </div>
  );
}

type ButtonProps = {
  label: string;
  keys: string;
  icon: ComponentType<IconProps>;
  isPressed?: boolean;
  isDisabled?: boolean;
  onClick: () => void;
};

function ToolbarButton({ label, keys, icon: Icon, isPressed, isDisabled = false, onClick }: ButtonProps) {
  return (
    <Tooltip position="bottom" label={`${label} (${keyCaps(keys).join(' ')})`}>
      <ActionIcon aria-label={label} aria-pressed={isPressed} disabled={isDisabled} onClick={onClick}>
        <Icon size={17} stroke={1.6} />
      </ActionIcon>
    </Tooltip>
  );
}

type PresetsProps = { presets: readonly WindowPreset[]; onChoose: (preset: WindowPreset) => void };

function Presets({ presets, onChoose }: PresetsProps) {
  return (
    <Menu position="bottom-start" disabled={presets.length === 0}>
      <Menu.Target>
        <Tooltip position="bottom" label="Window presets (1 to 9)">
          <ActionIcon aria-label="Window presets" disabled={presets.length === 0}>
            <IconAdjustments size={17} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        {presets.map((preset, index) => (
          <Menu.Item
            key={preset.label}
            rightSection={<KeyCaps keys={String(index + 1)} />}
            onClick={() => onChoose(preset)}
          >
            {preset.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

const layoutIcons: Record<Layout, ComponentType<IconProps>> = {
  one: IconSquare,
  two: IconColumns2,
  four: IconLayoutGrid,
};

function Layouts({ layout, onLayout }: { layout: Layout; onLayout: (layout: Layout) => void }) {
  const Current = layoutIcons[layout];
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Tooltip position="bottom" label="Layout (D)">
          <ActionIcon aria-label="Layout">
            <Current size={17} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        {layoutNames.map((name) => {
          const Icon = layoutIcons[name];
          return (
            <Menu.Item key={name} leftSection={<Icon size={15} />} onClick={() => onLayout(name)}>
              {layouts[name].label}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
