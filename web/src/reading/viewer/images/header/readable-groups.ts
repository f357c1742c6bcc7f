import { type DicomJson, itemsOf, tag } from './dicom-json.ts';

const functionalGroups = [tag.SharedFunctionalGroupsSequence, tag.PerFrameFunctionalGroupsSequence] as const;

const isPrivate = (attribute: string): boolean => Number.parseInt(attribute.slice(0, 4), 16) % 2 === 1;

const withoutPrivate = (item: DicomJson): DicomJson =>
  Object.fromEntries(Object.entries(item).filter(([attribute]) => !isPrivate(attribute)));

/**
 * Returns a header whose functional groups (PS3.3 §C.7.6.16) the imaging library reads correctly. The library takes all
 * nested attributes, including private ones, as attributes of the frame. Philips stores a second position and slope in
 * such a private attribute (2005,140F). If the shared or the per-frame groups are missing, the library reads no groups
 * at all.
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
