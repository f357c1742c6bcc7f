import { plural, t } from '@lingui/core/macro';
import { type DicomJson, itemsOf, numberOf, textOf } from '@radwork/dicom/dataset';
import { unreadAnnotations } from './annotations.ts';
import { type TablesApart, unreadTables } from './grayscale.ts';
import { unreadShutters } from '@radwork/dicom/display-shutter';
import { isShutterUnread, unreadOverlays } from './state-overlays.ts';

const isTrueSize = (header: DicomJson): boolean =>
  itemsOf(header, 'DisplayedAreaSelectionSequence').some(
    (area) => textOf(area, 'PresentationSizeMode') === 'TRUE SIZE',
  );

/** Returns messages that tell the reader which parts of a state are not applied. */
export const unappliedPartsOf = (header: DicomJson, apart: TablesApart): string[] => {
  const annotations = unreadAnnotations(header);
  const compound = itemsOf(header, 'GraphicAnnotationSequence').flatMap((item) =>
    itemsOf(item, 'CompoundGraphicSequence'),
  ).length;
  const rules: [isAsked: boolean, words: string][] = [
    [itemsOf(header, 'MaskSubtractionSequence').length > 0, t`mask subtraction`],
    [unreadOverlays(header, apart) > 0, t`overlay planes`],
    [unreadShutters(header) > 0 || isShutterUnread(header, apart), t`shutter`],
    [itemsOf(header, 'ModalityLUTSequence').length > 0, t`grayscale (has a modality LUT)`],
    ...unreadTables(header, apart).map((words): [boolean, string] => [true, words]),
    [annotations > 0, t`${plural(annotations, { one: '# annotation', other: '# annotations' })}`],
    [compound > 0, t`${plural(compound, { one: '# compound graphic', other: '# compound graphics' })}`],
    [isTrueSize(header), t`true size (fitted to the viewport)`],
    [(numberOf(header, 'ImageRotation') ?? 0) % 90 !== 0, t`rotation other than 90° steps`],
  ];
  return rules.flatMap(([isPresent, words]) => (isPresent ? words : []));
};
