import { type ReactNode, useState } from 'react';
import { KeyboardHelp } from '#ui/keyboard-help.tsx';
import { type Shortcut, useShortcuts } from '#ui/shortcuts.ts';
import type { OfferedTool, ToolName } from '#viewer/engine/tools.ts';
import type { WindowPreset } from '#viewer/images/presets.ts';
import { KeyPointer } from './key-pointer.tsx';
import { barShortcuts } from './keyboard.ts';
import { Toolbar, type ToolbarAction } from './toolbar.tsx';
import type { Beside } from './viewer-frame.tsx';

export type ViewerBarProps = Beside & {
  tool: ToolName;
  onTool: (tool: ToolName) => void;
  /** The tools that make sense here. */
  offered: readonly OfferedTool[];
  presets: readonly WindowPreset[];
  onPreset: (preset: WindowPreset) => void;
  /** What can be done with the picture at one stroke. */
  actions: readonly ToolbarAction[];
  /** Keys that have no button: those that scroll, for instance. They come first in the keyboard help. */
  keys: readonly Shortcut[];
  /** What only this viewer has: how a film is played, how thick a slab is. */
  children?: ReactNode;
  layoutPicker?: ReactNode;
  /** The element of the picture that tools and keys act on. */
  picture: HTMLDivElement | undefined;
};

/** The whole page, so that menus and dialogs, which hang from its end, come along. */
const toggleFullScreen = () =>
  void (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen());

/** The tool bar of any viewer, and the keys that do the same. */
export function ViewerBar(props: ViewerBarProps) {
  const [isHelpOpen, setHelpOpen] = useState(false);
  const page = { onFullScreen: toggleFullScreen, onHelp: () => setHelpOpen(true) };

  useShortcuts('Viewer', [...props.keys, ...barShortcuts({ ...props, ...page })]);

  return (
    <>
      <Toolbar {...props} {...page} />
      <KeyPointer element={props.picture} />
      <KeyboardHelp opened={isHelpOpen} onClose={() => setHelpOpen(false)} />
    </>
  );
}
