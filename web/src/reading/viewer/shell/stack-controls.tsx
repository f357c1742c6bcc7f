import { type ReactNode, useMemo } from 'react';
import { stackShortcuts } from './keyboard.ts';
import { describeShown, useShownPart, type View } from '#reading/viewer/engine/stack/shown-image.ts';
import type { WindowPreset } from '#reading/viewer/images/values/window-presets.ts';
import { choosePreset } from '#reading/viewer/engine/stack/view-commands.ts';
import { viewActions } from './view-actions.ts';
import { ViewerBar } from './viewer-bar.tsx';
import type { PanelControls } from './viewer-bar-props.ts';
import { type OfferedTool, type ToolName, tools } from '#reading/viewer/engine/tools/tools.ts';

type Props = PanelControls & {
  view: View | undefined;
  tool: ToolName;
  onTool: (tool: ToolName) => void;
  /** Tools to offer. Default: all tools. */
  offered?: readonly OfferedTool[];
  /** Moves to the next or previous item of the kind `stepsThrough`. Default: "series". */
  onStep: (step: 1 | -1) => void;
  stepsThrough?: 'series' | 'clip';
  layoutPicker: ReactNode;
  onNextLayout: () => void;
  /** Controls for cine playback, if available. */
  cineControls: ReactNode;
};

/** Toolbar and shortcuts of the current image. Give each viewport its own React key. */
export function StackControls(props: Props) {
  const { view, offered = tools, onStep, stepsThrough = 'series', onNextLayout, cineControls, ...rest } = props;
  // Renders only when the presets change, not at each image, because the toolbar has some forty buttons.
  const names = useShownPart(view, ({ presets }) => presets.map(({ label }) => label).join('\n'));
  const presets = useMemo(() => (names !== undefined && view && describeShown(view)?.presets) || [], [names, view]);
  // Chooses the preset with that name for the current image.
  const choose = ({ label: presetName }: WindowPreset) => {
    const preset = view && describeShown(view)?.presets.find(({ label }) => label === presetName);
    if (preset) choosePreset(view.viewport, preset);
  };
  const actions = viewActions.map(({ run, ...action }) => ({
    ...action,
    isDisabled: names === undefined,
    run: () => {
      const shownImage = view && describeShown(view);
      if (shownImage) run(view.viewport, shownImage);
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
      {cineControls}
    </ViewerBar>
  );
}
