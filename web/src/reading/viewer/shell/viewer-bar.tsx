import { t } from '@lingui/core/macro';
import { type ReactNode, useState } from 'react';
import { KeyboardHelp } from '#ui/keyboard/keyboard-help.tsx';
import { type Shortcut, useShortcuts } from '#ui/keyboard/shortcuts.ts';
import type { OfferedTool, ToolName } from '#reading/viewer/engine/tools/tools.ts';
import type { WindowPreset } from '#reading/viewer/images/values/window-presets.ts';
import { KeyPointer } from './key-pointer.tsx';
import { barShortcuts } from './keyboard.ts';
import { Toolbar, type ToolbarAction } from './toolbar.tsx';
import type { PanelControls } from './viewer-frame.tsx';

export type ViewerBarProps = PanelControls & {
  tool: ToolName;
  onTool: (tool: ToolName) => void;
  /** Tools offered here. */
  offered: readonly OfferedTool[];
  presets: readonly WindowPreset[];
  onPreset: (preset: WindowPreset) => void;
  /** Actions on the image. */
  actions: readonly ToolbarAction[];
  /** Shortcuts without a button, such as scrolling. They come first in the keyboard help. */
  keys: readonly Shortcut[];
  /** Controls of this viewer only, such as cine or slab thickness. */
  children?: ReactNode;
  layoutPicker?: ReactNode;
  /** Element of the image that tools and shortcuts act on. */
  picture: HTMLDivElement | undefined;
};

/** The whole page, because menus and dialogs are attached to its end. */
const toggleFullScreen = () =>
  void (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen());

/** Toolbar of a viewer, with its shortcuts. */
export function ViewerBar(props: ViewerBarProps) {
  const [isHelpOpen, setHelpOpen] = useState(false);
  const page = { onFullScreen: toggleFullScreen, onHelp: () => setHelpOpen(true) };

  useShortcuts(t`Viewer`, [...props.keys, ...barShortcuts({ ...props, ...page })]);

  return (
    <>
      <Toolbar {...props} {...page} />
      <KeyPointer element={props.picture} />
      <KeyboardHelp opened={isHelpOpen} onClose={() => setHelpOpen(false)} />
    </>
  );
}
