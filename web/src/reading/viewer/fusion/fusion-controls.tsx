import { t } from '@lingui/core/macro';
import { Menu, SegmentedControl, Slider, UnstyledButton } from '@mantine/core';
import type { SeriesSummary } from '@radwork/contract/imaging/study-rows';
import {
  IconArrowsMaximize,
  IconChevronDown,
  IconColumns1,
  IconColumns3,
  IconRestore,
  IconRotate360,
  IconTrash,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Shortcut } from '#ui/keyboard/shortcuts.ts';
import { planeNames } from '#reading/viewer/volumes/plane-names.ts';
import type { Orientation } from '#reading/viewer/volumes/plane-viewport.tsx';
import { neighborPane } from '#reading/viewer/hanging/layouts.ts';
import { keysBetweenPanes } from '#reading/viewer/shell/keyboard.ts';
import { ViewerBar } from '#reading/viewer/shell/viewer-bar.tsx';
import type { PanelControls } from '#reading/viewer/shell/viewer-bar-props.ts';
import type { WindowPreset } from '#reading/viewer/images/values/window-presets.ts';
import styles from './fusion-controls.module.css';
import type { FusionPair } from './pet/fusion-pairs.ts';
import { anatomyPresets } from './fusion-state.ts';
import { fusionTools } from './fusion-tools.ts';
import { paneNames } from './panes/pane-names.ts';
import type { PetScale } from './pet/pet-scale.ts';
import type { Fusion } from './use-fusion.ts';
import { ColorMapMenu } from '#reading/viewer/scales/color-map-menu.tsx';
import { PlaneLayerButtons } from '#reading/viewer/plane-layers/plane-layer-buttons.tsx';
import type { PlaneLayersShown } from '#reading/viewer/plane-layers/use-plane-layers.ts';
import type { LinkedPlanes } from './panes/use-linked-planes.ts';

type Props = PanelControls & {
  fusion: Fusion;
  linked: LinkedPlanes;
  layers: PlaneLayersShown;
  pair: FusionPair;
  scale: PetScale;
  pairs: readonly FusionPair[];
  onPair: (pair: FusionPair) => void;
  onRemoveSphere: () => void;
  /** Returns the menu of a series. */
  menuFor?: ((series: SeriesSummary) => ReactNode) | undefined;
};

const orientations = ['axial', 'coronal', 'sagittal'] as const satisfies readonly Orientation[];

/** Toolbar of a fusion. Window presets and digit keys apply to the pane that was touched last. */
export function FusionControls(props: Props) {
  const { fusion, linked, layers, pair, scale, pairs, onPair, onRemoveSphere, menuFor, ...beside } = props;
  const isAnatomy = fusion.pane === 'anatomy';
  const presets: readonly WindowPreset[] = isAnatomy ? anatomyPresets(pair) : scale.presets;
  return (
    <ViewerBar
      {...beside}
      tool={fusion.tool}
      onTool={fusion.setTool}
      offered={fusionTools}
      presets={presets}
      onPreset={({ range }) => fusion.setWindow(isAnatomy ? 'anatomy' : 'uptake', range)}
      actions={[
        { label: t`Fit to window`, keys: 'f', icon: IconArrowsMaximize, run: linked.fit },
        {
          label: t`Reset view`,
          keys: 'r',
          icon: IconRestore,
          run: () => {
            linked.fit();
            fusion.reset();
          },
        },
        {
          label: t`Rotate the projection`,
          keys: ' ',
          icon: IconRotate360,
          isPressed: fusion.isTurning,
          run: () => fusion.setTurning(!fusion.isTurning),
        },
        { label: t`Remove measurement`, keys: 'Delete', icon: IconTrash, run: onRemoveSphere },
        {
          label: fusion.layout === 'one' ? t`Show four viewports` : t`Show one viewport`,
          keys: 'd',
          icon: fusion.layout === 'one' ? IconColumns3 : IconColumns1,
          isDisabled: fusion.isPhone,
          run: fusion.nextLayout,
        },
      ]}
      picture={linked.planes[fusion.pane]?.viewport.element}
      keys={keysOf(fusion, linked)}
    >
      <div className={styles.mix}>
        <SegmentedControl
          size="xs"
          aria-label={t`Orientation`}
          data={orientations.map((value) => ({ value, label: planeNames[value] }))}
          value={linked.orientation}
          onChange={(value) => linked.turnTo(orientations.find((orientation) => orientation === value) ?? 'axial')}
        />
        <Mixture fusion={fusion} />
        <ColorMapMenu colors={fusion.colours} onColors={fusion.setColours} />
        <PlaneLayerButtons layers={layers} />
        {pairs.length > 1 && <PairMenu pair={pair} pairs={pairs} onPair={onPair} />}
        {menuFor &&
          [pair.anatomy, pair.uptake].map(({ series }) => (
            <span key={series.seriesInstanceUID} className={styles.series}>
              {series.modality}
              {menuFor(series)}
            </span>
          ))}
      </div>
    </ViewerBar>
  );
}

function Mixture({ fusion }: { fusion: Fusion }) {
  const { opacity } = fusion;
  return (
    <label className={styles.opacity}>
      <span>{t`PET ${opacity}%`}</span>
      <Slider
        size="xs"
        className={styles.slider ?? ''}
        thumbLabel={t`PET opacity`}
        label={null}
        min={0}
        max={100}
        value={opacity}
        onChange={fusion.setOpacity}
      />
    </label>
  );
}

const nameOf = ({ anatomy, uptake }: FusionPair): string =>
  [anatomy, uptake]
    .map(({ series }) => `${series.seriesNumber ?? ''} ${series.seriesDescription || series.modality}`.trim())
    .join(' + ');

type PairProps = { pair: FusionPair; pairs: readonly FusionPair[]; onPair: (pair: FusionPair) => void };

function PairMenu({ pair, pairs, onPair }: PairProps) {
  const name = nameOf(pair);
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <UnstyledButton className={styles.choice} aria-label={t`Series: ${name}`}>
          <span className={styles.pair}>{name}</span>
          <IconChevronDown size={14} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {pairs.map((one) => (
          <Menu.Item key={nameOf(one)} onClick={() => onPair(one)}>
            {nameOf(one)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Number of slices per press of Page Up or Page Down. */
const page = 10;

/** Rotation of the projection per key press, in degrees. */
const turnStep = 10;

/** Change of the opacity per key press, in percent. */
const mixStep = 10;

const keysOf = (fusion: Fusion, linked: LinkedPlanes): Shortcut[] => {
  const next = orientations[(orientations.indexOf(linked.orientation) + 1) % orientations.length] ?? 'axial';
  return [
    { keys: 'ArrowDown', does: t`Next slice`, run: () => linked.scroll(1) },
    { keys: 'ArrowUp', does: t`Previous slice`, run: () => linked.scroll(-1) },
    { keys: 'PageDown', does: t`${page} slices forward`, run: () => linked.scroll(page) },
    { keys: 'PageUp', does: t`${page} slices back`, run: () => linked.scroll(-page) },
    { keys: 'Home', does: t`First slice`, run: () => linked.toEnd('first') },
    { keys: 'End', does: t`Last slice`, run: () => linked.toEnd('last') },
    { keys: 'ArrowRight', does: t`Rotate the projection right`, run: () => fusion.turn(-turnStep) },
    { keys: 'ArrowLeft', does: t`Rotate the projection left`, run: () => fusion.turn(turnStep) },
    ...keysBetweenPanes((way) => {
      const beside = paneNames[neighborPane('2x2', paneNames.indexOf(fusion.pane), way)];
      if (beside) fusion.enter(beside);
    }),
    { keys: 'o', does: t`Next orientation`, run: () => linked.turnTo(next) },
    { keys: '+', does: t`Increase PET opacity`, run: () => fusion.setOpacity(fusion.opacity + mixStep) },
    { keys: '-', does: t`Decrease PET opacity`, run: () => fusion.setOpacity(fusion.opacity - mixStep) },
    { keys: 'c', does: t`Next color map`, run: fusion.nextColours },
  ];
};
