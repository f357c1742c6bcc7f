import { plural, t } from '@lingui/core/macro';
import { ActionIcon, Indicator, Menu } from '@mantine/core';
import type { SeriesSummary, StudyDetails } from '@radwork/contract/imaging/study-rows';
import { IconPhotoEdit } from '@tabler/icons-react';
import { useQueries } from '@tanstack/react-query';
import { keyCaps, useShortcuts } from '#ui/keyboard/shortcuts.ts';
import { MenuWithTooltip } from '#ui/dialogs/menu-with-tooltip.tsx';
import type { View } from '#reading/viewer/engine/stack/shown-image.ts';
import { goToImage } from '#reading/viewer/engine/stack/view-commands.ts';
import { tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import { isOfImage } from './image-references.ts';
import { type PresentationState, titleOf } from './presentation-state.ts';
import { type ListedState, statesOfSeries } from './read-states.ts';

type Props = {
  study: StudyDetails;
  /** The series in the current pane. */
  series: SeriesSummary;
  view: View | undefined;
  chosen: ListedState | undefined;
  onChoose: (state: ListedState | undefined) => void;
  /** Shortcut to show the next state. */
  keys?: string;
};

const nextKey = ', p';

const useStates = (study: StudyDetails, series: SeriesSummary) =>
  useQueries({
    queries: study.series.filter(({ modality }) => modality === 'PR').map((one) => statesOfSeries(study, one)),
    combine: (answers) => ({
      states: answers
        .flatMap(({ data }) => data?.states ?? [])
        .filter(({ references }) => references.has(series.seriesInstanceUID)),
      others: answers.reduce((sum, { data }) => sum + (data?.others ?? 0), 0),
      isPending: answers.some(({ isPending }) => isPending),
      failed: answers.filter(({ error }) => error !== null),
    }),
  });

/** Returns the stack positions of the images to which a state applies. */
const placesIn = ({ images }: View, state: PresentationState): number[] =>
  images.flatMap(({ header, frame }, index) =>
    isOfImage(state, textOf(header, tag.SOPInstanceUID), frame) ? index : [],
  );

/** Menu of the presentation states for the current series. No state applies unless the user chooses one. */
export function PresentationMenu({ study, series, view, chosen, onChoose, keys = nextKey }: Props) {
  const { states, others, isPending, failed } = useStates(study, series);

  const choose = (state: ListedState | undefined) => {
    onChoose(state);
    if (!state || !view) return;
    const places = placesIn(view, state);
    const [first] = places;
    // Moves to an image to which the state applies. Otherwise the user would see no effect.
    if (first !== undefined && !places.includes(view.viewport.getCurrentImageIdIndex()))
      goToImage(view.viewport, first);
  };
  const at = states.findIndex(({ sopInstanceUID }) => sopInstanceUID === chosen?.sopInstanceUID);
  const isThere = view !== undefined && states.length > 0;
  useShortcuts(t`Viewports`, [
    { keys, does: t`Next presentation state`, run: () => isThere && choose(states[at + 1]) },
  ]);

  const count = states.length;
  const label = isPending ? t`Loading presentation states` : t`Presentation states (${count})`;
  const isEmpty = !isThere && others === 0 && failed.length === 0;
  return (
    <MenuWithTooltip
      position="bottom-end"
      disabled={isEmpty}
      tip={`${label} (${keyCaps(keys).join(' ')})`}
      target={
        <ActionIcon aria-label={t`Presentation states`} aria-pressed={chosen !== undefined} disabled={isEmpty}>
          <Indicator disabled={states.length === 0} label={states.length} size={13} offset={4}>
            <IconPhotoEdit size={17} stroke={1.6} />
          </Indicator>
        </ActionIcon>
      }
    >
      <Menu.Dropdown mah="60vh" maw={520} style={{ overflowY: 'auto' }}>
        <Menu.Label>{t`Presentation`}</Menu.Label>
        <Menu.Item aria-current={chosen === undefined} onClick={() => choose(undefined)}>
          {chosen === undefined && '✓ '}
          {t`None (images as acquired)`}
        </Menu.Item>
        {states.map((state, index) => (
          <Menu.Item key={state.sopInstanceUID} aria-current={index === at} onClick={() => choose(state)}>
            {index === at && '✓ '}
            {titleOf(state)}
          </Menu.Item>
        ))}
        {others > 0 && (
          <Menu.Label>
            {t`${plural(others, { one: '# presentation state is not supported (blending or volumes)', other: '# presentation states are not supported (blending or volumes)' })}`}
          </Menu.Label>
        )}
        {failed.length > 0 && (
          <Menu.Item closeMenuOnClick={false} onClick={() => failed.forEach(({ refetch }) => void refetch())}>
            {t`Some presentation states could not be loaded. Retry`}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </MenuWithTooltip>
  );
}
