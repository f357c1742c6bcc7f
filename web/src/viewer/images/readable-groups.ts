import { type DicomJson, itemsOf, tag } from './dicom-json.ts';

const functionalGroups = [tag.SharedFunctionalGroupsSequence, tag.PerFrameFunctionalGroupsSequence] as const;

const isPrivate = (attribute: string): boolean => Number.parseInt(attribute.slice(0, 4), 16) % 2 === 1;

const withoutPrivate = (item: DicomJson): DicomJson =>
  Object.fromEntries(Object.entries(item).filter(([attribute]) => !isPrivate(attribute)));

/**
 * A header whose functional groups (PS3.3 §C.7.6.16) the imaging library reads as we do. It takes whatever stands in any of
 * them for the frame's own, also in those that makers keep for themselves: Philips writes a second position and slope there
 * (2005,140F). Where those of all frames or of each one are missing, it reads none at all.
 */
export const withReadableGroups = (header: DicomJson): DicomJson =>
  functionalGroups.some((groups) => groups in header)
    ? {
        ...header,
        ...Object.fromEntries(
          functionalGroups.map((groups) => [groups, { vr: 'SQ', Value: itemsOf(header, groups).map(withoutPrivate) }]),
        ),
      }
    : header;
