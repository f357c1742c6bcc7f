import { type ReactNode, useMemo } from 'react';
import { stackShortcuts } from './keyboard.ts';
import { shownIn, usePartOfShown, type View } from '#viewer/engine/shown-image.ts';
import type { WindowPreset } from '#viewer/images/presets.ts';
import { choosePreset } from '#viewer/engine/view-commands.ts';
import { viewActions } from './view-actions.ts';
import { ViewerBar } from './viewer-bar.tsx';
import type { Beside } from './viewer-frame.tsx';
import { type OfferedTool, type ToolName, tools } from '#viewer/engine/tools.ts';

type Props = Beside & {
  view: View | undefined;
  tool: ToolName;
  onTool: (tool: ToolName) => void;
  /** The tools that make sense here; all of them unless said otherwise. */
  offered?: readonly OfferedTool[];
  /** Goes to the next or the previous of what the pictures are chosen from, and what that is: "series". */
  onStep: (step: 1 | -1) => void;
  stepsThrough?: string;
  layoutPicker: ReactNode;
  onNextLayout: () => void;
  /** How the picture is played, where it can be. */
  film: ReactNode;
};

/** Toolbar and keys of the current picture. It needs a key, one for each viewport. */
export function Controls(props: Props) {
  const { view, offered = tools, onStep, stepsThrough = 'series', onNextLayout, film, ...rest } = props;
  // Drawn again when other windows are offered, not with each picture: it has some forty buttons.
  const names = usePartOfShown(view, ({ presets }) => presets.map(({ label }) => label).join('\n'));
  const presets = useMemo(() => (names !== undefined && view && shownIn(view)?.presets) || [], [names, view]);
  // The window of that name for the picture that is on the screen now.
  const choose = ({ label: wanted }: WindowPreset) => {
    const preset = view && shownIn(view)?.presets.find(({ label }) => label === wanted);
    if (preset) choosePreset(view.viewport, preset);
  };
  const actions = viewActions.map(({ run, ...action }) => ({
    ...action,
    isDisabled: names === undefined,
    run: () => {
      const shown = view && shownIn(view);
      if (shown) run(view.viewport, shown);
    },
  }));
  return (
    <ViewerBar
      {...rest}
      offered={offered}
      presets={presets}
      onPreset={choose}
      actions={actions}
      picture={view?.viewport.element}
      keys={stackShortcuts({ view, onStep, stepsThrough, onNextLayout })}
    >
      {film}
    </ViewerBar>
  );
}
