import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { KeyboardHelpOnDemand } from '#ui/keyboard/keyboard-help-on-demand.tsx';
import { useShortcuts } from '#ui/keyboard/shortcuts.ts';
import { KeyPointer } from './key-pointer.tsx';
import { barShortcuts } from './keyboard.ts';
import { Toolbar } from './toolbar.tsx';
import type { ViewerBarProps } from './viewer-bar-props.ts';

/**
 * Shows the whole page in full screen, not only the viewer, because menus and dialogs are attached to the end of the
 * page.
 */
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
      <KeyboardHelpOnDemand opened={isHelpOpen} onClose={() => setHelpOpen(false)} />
    </>
  );
}
