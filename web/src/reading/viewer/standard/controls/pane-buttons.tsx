import { t } from '@lingui/core/macro';
import {
  IconCrosshair,
  IconHistory,
  IconLayersIntersect,
  IconLink,
  IconRadioactive,
  IconStackFront,
  IconTags,
  IconZoomScan,
} from '@tabler/icons-react';
import { ColorMapMenu } from '#reading/viewer/scales/color-map-menu.tsx';
import { useMapColors } from '#reading/viewer/scales/map-colors.tsx';
import { ToolbarButton } from '#reading/viewer/shell/toolbar-button.tsx';
import type { View } from '#reading/viewer/engine/stack/shown-image.ts';
import type { DoseDisplay } from '#reading/viewer/dose/dose-display.ts';
import type { SegmentDisplay } from '#reading/viewer/segments/segment-display.ts';
import type { FileLayerDisplay } from '#reading/viewer/standard/hanging/use-file-layer-display.ts';
import { KeyImageButton } from './key-image-button.tsx';
import { LayoutPicker } from './layout-picker.tsx';
import { paneKeys, type PaneHands } from './pane-keys.ts';
import type { HangingInUse } from '#reading/viewer/standard/hanging/use-hanging.ts';
import type { KeyImageMarking } from './use-key-image-marking.ts';

type Toggle = { isOn: boolean; toggle: () => void };

type Props = Omit<
  PaneHands,
  'layout' | 'current' | 'onKeyImage' | 'onSegments' | 'onDose' | 'onColors' | 'onLayers'
> & {
  hanging: HangingInUse;
  links: { scroll: Toggle; looks: Toggle; lines: Toggle };
  hasPriors: boolean;
  onKeep: () => void;
  view: View | undefined;
  marking: KeyImageMarking;
  segments: SegmentDisplay;
  dose: DoseDisplay;
  layers: FileLayerDisplay;
};

/** Toolbar buttons of the standard viewer that act on its panes. */
export function PaneButtons({ hanging, links, hasPriors, view, marking, segments, dose, layers, ...does }: Props) {
  const { onLayout, onAgain, onKeep, onCompare, onTags } = does;
  const { scroll, looks, lines } = links;
  const [colors, setColors] = useMapColors();
  const keys = paneKeys;
  return (
    <>
      <KeyImageButton view={view} marking={marking} />
      <ToolbarButton
        label={t`Compare with prior`}
        keys={keys.compare}
        icon={IconHistory}
        isDisabled={!hasPriors}
        onClick={onCompare}
      />
      <ToolbarButton
        label={t`Link scrolling`}
        keys={keys.linkScroll}
        icon={IconLink}
        isPressed={scroll.isOn}
        onClick={scroll.toggle}
      />
      <ToolbarButton
        label={t`Link zoom, position and window`}
        keys={keys.linkLooks}
        icon={IconZoomScan}
        isPressed={looks.isOn}
        onClick={looks.toggle}
      />
      <ToolbarButton
        label={t`Reference lines`}
        keys={keys.lines}
        icon={IconCrosshair}
        isPressed={lines.isOn}
        onClick={lines.toggle}
      />
      {segments.hasAny && (
        <ToolbarButton
          label={t`Segments`}
          keys={keys.segments}
          icon={IconLayersIntersect}
          isPressed={segments.isOn}
          onClick={segments.toggle}
        />
      )}
      {dose.hasAny && (
        <ToolbarButton
          label={t`Dose`}
          keys={keys.dose}
          icon={IconRadioactive}
          isPressed={dose.isOn}
          onClick={dose.toggle}
        />
      )}
      {layers.hasAny && (
        <ToolbarButton
          label={t`Overlays, shutters and scales`}
          keys={keys.layers}
          icon={IconStackFront}
          isPressed={!layers.areHidden}
          onClick={layers.toggle}
        />
      )}
      {layers.hasScale && <ColorMapMenu colors={colors} onColors={setColors} />}
      <ToolbarButton label={t`DICOM tags`} keys={keys.tags} icon={IconTags} onClick={onTags} />
      <LayoutPicker hanging={hanging} onLayout={onLayout} onAgain={onAgain} onKeep={onKeep} />
    </>
  );
}
