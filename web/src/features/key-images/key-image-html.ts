import type { KeyImage, KeyImagePicture } from '@radwork/contract/key-images';
import { escapeHtml } from '@radwork/contract/merge-fields';
import { keyImageAddress } from '@radwork/contract/report-link-address';

/** A key image and the picture of it. */
export type DrawnKeyImage = { keyImage: Pick<KeyImage, 'id' | 'note' | 'look'>; picture: KeyImagePicture };

/** How wide and high a picture stands in a text, in pixels: less than it has, so that paper shows it sharp. */
const shownSide = 400;

const shownSize = ({ width, height }: Pick<KeyImagePicture, 'width' | 'height'>) => {
  const scale = shownSide / Math.max(width, height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
};

/** What was done to a picture that has no letters at its sides: which side is which is not to be guessed from it. */
const handlingOf = ({ rotation, isMirroredAcross, isMirroredDown }: KeyImage['look']): string =>
  [
    ...(isMirroredAcross === isMirroredDown ? [] : ['mirrored']),
    // Upside down is from side to side and half a turn.
    ...((rotation + (isMirroredDown ? 180 : 0)) % 360 === 0 ? [] : ['turned']),
  ].join(' and ');

/** What stands beneath a picture: the note, or that it is a key image, where it is in the study, and how it is turned. */
export const captionOf = (
  { note, look }: Pick<KeyImage, 'note' | 'look'>,
  { place }: Pick<KeyImagePicture, 'place'>,
): string => {
  const remarks = [place, handlingOf(look)].filter(Boolean).join(', ');
  return `${note || 'Key image'}${remarks && ` (${remarks})`}`;
};

/** Key images for the text of a report: each as a picture, with a caption that leads to it in the viewer. */
export const keyImagesHtml = (studyId: string, drawn: readonly DrawnKeyImage[]): string =>
  drawn
    .map(({ keyImage, picture }) => {
      const caption = escapeHtml(captionOf(keyImage, picture));
      const { width, height } = shownSize(picture);
      const shown = `<img src="${picture.src}" alt="${caption}" width="${width}" height="${height}">`;
      return `${shown}<p><a href="${keyImageAddress(studyId, keyImage.id)}">${caption}</a></p>`;
    })
    .join('');
