import { useState } from 'react';
import { usePreference } from '#core/state/preferences.ts';
import { isHandheld, useIsPhone } from '#reading/viewer/engine/handheld.ts';
import type { GrayRange } from '#reading/viewer/images/gray/gray-window.ts';
import { nextColorMap, colorMapNames } from './pet/color-maps.ts';
import { scrollTool, windowTool } from './fusion-tools.ts';
import { layouts, type PaneName } from './panes/pane-names.ts';
import { turned } from './panes/projection-rotation.ts';

/** Opacity of the uptake when a study opens, in percent. */
const firstOpacity = 50;

/** State of the user's choices: tool, pane, layout, windows, colors, and angle of the projection. */
export const useFusion = () => {
  const [tool, setTool] = useState(isHandheld() ? scrollTool : windowTool);
  const [pane, enter] = useState<PaneName>('fused');
  const [preferred, setLayout] = usePreference('fusion-layout', layouts);
  const [colours, setColours] = usePreference('fusion-colours', colorMapNames);
  const [opacity, setOpacity] = useState(firstOpacity);
  const [windows, setWindows] = useState<{ anatomy?: GrayRange; uptake?: GrayRange }>({});
  const [degrees, setDegrees] = useState(0);
  const [isTurning, setTurning] = useState(false);
  const [selected, select] = useState<string>();
  const isPhone = useIsPhone();
  const layout = isPhone ? 'one' : preferred;
  return {
    tool,
    setTool,
    pane,
    enter,
    layout,
    /** Whether the screen has room for only one pane. */
    isPhone,
    nextLayout: () => setLayout(layout === 'one' ? 'four' : 'one'),
    colours,
    setColours,
    nextColours: () => setColours(nextColorMap(colours)),
    opacity,
    setOpacity: (percent: number) => setOpacity(Math.min(100, Math.max(0, Math.round(percent)))),
    windows,
    setWindow: (of: 'anatomy' | 'uptake', range: GrayRange) => setWindows((before) => ({ ...before, [of]: range })),
    /** Resets the windows for another pair, which has another scale. */
    forgetWindows: () => setWindows({}),
    degrees,
    turn: (by: number) => setDegrees((before) => turned(before, by)),
    isTurning,
    setTurning,
    selected,
    select,
    /** Resets windows, opacity and projection to their initial state. */
    reset: () => {
      setWindows({});
      setOpacity(firstOpacity);
      setDegrees(0);
      setTurning(false);
    },
  };
};

export type Fusion = ReturnType<typeof useFusion>;
