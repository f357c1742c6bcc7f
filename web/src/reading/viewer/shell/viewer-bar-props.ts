import type { IconProps } from '@tabler/icons-react';
import type { ComponentType, ReactNode } from 'react';
import type { Shortcut } from '#ui/keyboard/shortcuts.ts';
import type { OfferedTool, ToolName } from '#reading/viewer/engine/tools/tools.ts';
import type { WindowPreset } from '#reading/viewer/images/values/window-presets.ts';

/** State of the panels next to the images, with functions for the toolbar. */
export type PanelControls = {
  isListOpen: boolean;
  onMeasurements: () => void;
  canUndo: boolean;
  onUndo: () => void;
  /** Saves a picture. Absent without the permission. */
  onPicture?: () => void;
  /** Whether the report is open. Absent if the viewer has no report. */
  isReportOpen?: boolean;
  onReport?: () => void;
};

/** Action on the image, with a button and a shortcut. */
export type ToolbarAction = {
  label: string;
  keys: string;
  icon: ComponentType<IconProps>;
  isPressed?: boolean;
  isDisabled?: boolean;
  run: () => void;
};

export type ViewerBarProps = PanelControls & {
  tool: ToolName;
  onTool: (tool: ToolName) => void;
  /** Tools that this viewer offers. */
  offered: readonly OfferedTool[];
  presets: readonly WindowPreset[];
  onPreset: (preset: WindowPreset) => void;
  /** Actions on the image. */
  actions: readonly ToolbarAction[];
  /** Shortcuts without a button, such as scrolling. They come first in the list of shortcuts. */
  keys: readonly Shortcut[];
  /** Controls that only this viewer has, such as cine or slab thickness. */
  children?: ReactNode;
  layoutPicker?: ReactNode;
  /** Element of the image on which tools and shortcuts act. */
  picture: HTMLDivElement | undefined;
};
