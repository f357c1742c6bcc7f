import { type DicomJson, itemsOf, numberOf, textOf } from '@radwork/dicom/dataset';
import { unreadAnnotations } from './annotations.ts';
import { type TablesApart, unreadTables } from './greys.ts';
import { unreadShutters } from './shutters.ts';

const isTrueSize = (header: DicomJson): boolean =>
  itemsOf(header, 'DisplayedAreaSelectionSequence').some(
    (area) => textOf(area, 'PresentationSizeMode') === 'TRUE SIZE',
  );

const hasOverlays = (header: DicomJson): boolean =>
  Object.entries(header).some(([tag, { Value }]) => /^60[\dA-F]{2}1001$/.test(tag) && Value !== undefined);

const counted = (count: number, one: string, several: string): string => (count === 1 ? one : `${count} ${several}`);

/** Messages about parts of a state that are not applied. The reader must know that more was intended. */
export const notAppliedOf = (header: DicomJson, apart: TablesApart): string[] => {
  const annotations = unreadAnnotations(header);
  const compound = itemsOf(header, 'GraphicAnnotationSequence').flatMap((item) =>
    itemsOf(item, 'CompoundGraphicSequence'),
  ).length;
  const rules: [isAsked: boolean, words: string][] = [
    [itemsOf(header, 'MaskSubtractionSequence').length > 0, 'mask subtraction'],
    [hasOverlays(header), 'overlay planes'],
    [unreadShutters(header) > 0, 'a shutter'],
    [itemsOf(header, 'ModalityLUTSequence').length > 0, 'greys: they go through a modality LUT'],
    ...unreadTables(header, apart).map((words): [boolean, string] => [true, words]),
    [annotations > 0, counted(annotations, 'an annotation', 'annotations')],
    [compound > 0, counted(compound, 'a compound graphic', 'compound graphics')],
    [isTrueSize(header), 'true size: it is shown as large as it fits'],
    [(numberOf(header, 'ImageRotation') ?? 0) % 90 !== 0, 'a rotation that is no quarter turn'],
  ];
  return rules.flatMap(([isAsked, words]) => (isAsked ? words : []));
};
