import { t } from '@lingui/core/macro';
import { useDebouncedValue } from '@mantine/hooks';
import { fewestLetters, search, type SearchAnswer } from '@radwork/contract/insight/search';
import { reportStatusLabels } from '@radwork/contract/reading/report-status';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { query, errorMessageOf } from '#core/http/api.ts';
import { may } from '#core/state/session.ts';
import { formatLocal } from '#ui/formats/formats.ts';
import { inQuestion, joined, studyItem } from './study-item.ts';
import { matching, type PaletteGroup, type PaletteItem } from './palette-items.ts';
import { recentItems } from './recent-items.ts';

/** Pause in typing before the search, in milliseconds. */
const pause = 200;

const groupsOf = ({ patients, studies, reports, users }: SearchAnswer): PaletteGroup[] => [
  {
    name: t`Patients`,
    items: patients.map(({ id, patientName, patientId, dateOfBirth, identity }): PaletteItem => ({
      id: `patient-${id}`,
      label: patientName || t`No name`,
      detail: joined(patientId, dateOfBirth && `born ${dateOfBirth}`, inQuestion(identity)),
      href: `/patients/${id}`,
    })),
  },
  {
    name: t`Studies`,
    items: studies.map(studyItem),
  },
  {
    name: t`Reports`,
    items: reports.map(
      ({ id, status, accessionNumber, studyDescription, modality, studyDate, patientName, identity }): PaletteItem => ({
        id: `report-${id}`,
        label: joined(accessionNumber, patientName || t`No name`),
        detail: joined(
          reportStatusLabels[status],
          modality,
          studyDescription,
          formatLocal(studyDate),
          inQuestion(identity),
        ),
        href: `/reports?reportId=${encodeURIComponent(id)}`,
      }),
    ),
  },
  {
    name: t`Users`,
    items: users.map(({ id, username, name }): PaletteItem => ({
      id: `user-${id}`,
      label: name || username,
      detail: username,
      href: `/users/${id}`,
    })),
  },
];

/**
 * Returns the groups of the palette for a typed text: matching commands at once, results of the server when they
 * arrive.
 */
export const usePaletteGroups = (
  text: string,
  commands: readonly PaletteGroup[],
  { here, path, pinned }: { here: PaletteGroup; path: string; pinned: readonly string[] },
) => {
  const searchText = text.trim();
  const [q] = useDebouncedValue(searchText, pause);
  const isSearch = searchText.length >= fewestLetters && may(search.everywhere);
  const { data, error, isFetching } = useQuery({
    ...query(search.everywhere, { query: { q } }),
    enabled: isSearch && q.length >= fewestLetters,
    placeholderData: keepPreviousData,
  });
  const isSearching = isSearch && (q !== searchText || isFetching);
  const recent = searchText === '' ? [{ name: t`Recent`, items: [...recentItems(path)] }] : [];
  const offered = [here, ...commands];
  const pins = searchText === '' ? pinned : [];
  const isPinned = ({ id }: PaletteItem) => pins.includes(id);
  const atTop: PaletteGroup = {
    name: t`Pinned`,
    items: pins.flatMap((id) => offered.flatMap(({ items }) => items).find((item) => item.id === id) ?? []),
  };
  const [onSubject = here, ...own] = offered.map(({ name, items }) => ({
    name,
    items: matching(items, searchText).filter((item) => !isPinned(item)),
  }));
  const answered = isSearch && data && !error ? groupsOf(data) : [];
  // Filters earlier results by the current text, because Enter must not open a patient of an earlier search.
  const matched = isSearching
    ? answered.map(({ name, items }) => ({ name, items: matching(items, searchText) }))
    : answered;
  const groups = [atTop, onSubject, ...recent, ...matched, ...own].filter(({ items }) => items.length > 0);
  const failure = isSearch && error ? errorMessageOf(error, t`The search failed. Type again to retry.`) : undefined;
  return { groups, isSearching, failure };
};
