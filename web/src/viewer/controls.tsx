import { useState } from 'react';
import { KeyboardHelp } from '#ui/keyboard-help.tsx';
import { useShortcuts } from '#ui/shortcuts.ts';
import { viewerShortcuts } from './keyboard.ts';
import { type Layout, layoutAfter } from './layouts.ts';
import { useShownImage, type View } from './shown-image.ts';
import { Toolbar } from './toolbar.tsx';
import type { ToolName } from './tools.ts';

type Props = {
  view: View | undefined;
  tool: ToolName;
  onTool: (tool: ToolName) => void;
  layout: Layout;
  onLayout: (layout: Layout) => void;
  onSeries: (step: 1 | -1) => void;
  /** Whether the report stands beside the pictures, and how to change that; absent where there is none to show. */
  isReportOpen?: boolean;
  onReport?: () => void;
};

/** The whole page, so that menus and dialogs, which hang from its end, come along. */
const toggleFullScreen = () =>
  void (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen());

/** Toolbar and keys of the current picture. It needs a key, one for each viewport. */
export function Controls({ view, tool, onTool, layout, onLayout, onSeries, isReportOpen, onReport }: Props) {
  const shown = useShownImage(view);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const hands = { onTool, onFullScreen: toggleFullScreen, onHelp: () => setHelpOpen(true), onReport };

  useShortcuts(
    'Viewer',
    viewerShortcuts({ ...hands, view, shown, onSeries, onLayout: () => onLayout(layoutAfter(layout)) }),
  );

  return (
    <>
      <Toolbar
        {...hands}
        view={view}
        shown={shown}
        tool={tool}
        layout={layout}
        onLayout={onLayout}
        isReportOpen={isReportOpen}
      />
      <KeyboardHelp opened={isHelpOpen} onClose={() => setHelpOpen(false)} />
    </>
  );
}
