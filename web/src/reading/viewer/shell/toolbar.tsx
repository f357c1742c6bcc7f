import { t } from '@lingui/core/macro';
import { ActionIcon, Menu } from '@mantine/core';
import {
  IconAdjustments,
  IconArrowBackUp,
  IconFileText,
  IconKeyboard,
  IconListDetails,
  IconPhotoDown,
  IconMaximize,
} from '@tabler/icons-react';
import { KeyCaps } from '#ui/keyboard/key-caps.tsx';
import { MenuWithTooltip } from '#ui/dialogs/menu-with-tooltip.tsx';
import { measurementsKey, pictureKey, reportKey, undoKey } from './keyboard.ts';
import type { WindowPreset } from '#reading/viewer/images/values/window-presets.ts';
import styles from './toolbar.module.css';
import { ToolbarButton } from './toolbar-button.tsx';
import type { ViewerBarProps } from './viewer-bar-props.ts';

type Props = Omit<ViewerBarProps, 'keys' | 'picture'> & { onFullScreen: () => void; onHelp: () => void };

/** Toolbar with actions and tools for the image in the current pane. Each button shows its shortcut. */
export function Toolbar(props: Props) {
  const { tool, onTool, offered, presets, onPreset, actions, children, layoutPicker, onFullScreen, onHelp } = props;
  const { isReportOpen, onReport, isListOpen, onMeasurements, canUndo, onUndo, onPicture } = props;
  return (
    // Prevents clicks from moving the keyboard focus away from the image.
    <div
      role="toolbar"
      aria-label={t`Image tools`}
      className={styles.toolbar}
      onMouseDown={(event) => event.preventDefault()}
    >
      <div className={styles.group}>
        {offered.map(({ name, label, key, icon }) => (
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
        <Presets presets={presets} onChoose={onPreset} />
        {actions.map(({ run, ...action }) => (
          <ToolbarButton key={action.label} {...action} onClick={run} />
        ))}
        <ToolbarButton
          label={t`Undo measurement change`}
          keys={undoKey}
          icon={IconArrowBackUp}
          isDisabled={!canUndo}
          onClick={onUndo}
        />
        <ToolbarButton
          label={t`Measurements`}
          keys={measurementsKey}
          icon={IconListDetails}
          isPressed={isListOpen}
          onClick={onMeasurements}
        />
        {onPicture && (
          <ToolbarButton label={t`Save image`} keys={pictureKey} icon={IconPhotoDown} onClick={onPicture} />
        )}
      </div>
      {children}
      <div className={`${styles.group} ${styles.page}`}>
        {onReport && (
          <ToolbarButton
            label={t`Report`}
            keys={reportKey}
            icon={IconFileText}
            isPressed={isReportOpen === true}
            onClick={onReport}
          />
        )}
        {layoutPicker}
        <ToolbarButton label={t`Full screen`} keys="m" icon={IconMaximize} onClick={onFullScreen} />
        <ToolbarButton label={t`Keyboard shortcuts`} keys="?" icon={IconKeyboard} onClick={onHelp} />
      </div>
    </div>
  );
}

type PresetsProps = { presets: readonly WindowPreset[]; onChoose: (preset: WindowPreset) => void };

function Presets({ presets, onChoose }: PresetsProps) {
  return (
    <MenuWithTooltip
      position="bottom-start"
      disabled={presets.length === 0}
      tip={t`Window presets (1 to 9)`}
      target={
        <ActionIcon aria-label={t`Window presets`} disabled={presets.length === 0}>
          <IconAdjustments size={17} stroke={1.6} />
        </ActionIcon>
      }
    >
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
    </MenuWithTooltip>
  );
}
