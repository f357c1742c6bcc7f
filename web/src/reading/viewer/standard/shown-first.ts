import { t } from '@lingui/core/macro';
import type { ShownImage } from '#reading/viewer/engine/stack/shown-image.ts';
import { numberOf, tag, textsOf } from '#reading/viewer/images/header/dicom-json.ts';
import { windowText } from '#reading/viewer/images/gray/gray-window.ts';
import { edgesOfPicture, edgesOfPlane, sliceLocation } from '#reading/viewer/images/geometry/orientation.ts';
import type { FirstImageView } from './opening/first-look.ts';

/** Describes an image as recorded: its rows run to the right, and its columns run down. */
export const describeAsRecorded = ({ image, index, range }: FirstImageView, magnification: number): ShownImage => {
  const { plane, header } = image;
  const thickness = numberOf(header, tag.SliceThickness);
  const millimeters = thickness?.toFixed(1);
  return {
    image,
    index,
    location: plane ? sliceLocation(plane) : '',
    thickness: millimeters === undefined ? '' : t`${millimeters} mm thick`,
    window: windowText(range, false, !Number.isInteger(numberOf(header, tag.RescaleSlope) ?? 1)),
    presets: [],
    edges: plane
      ? edgesOfPlane(plane.along, plane.down)
      : edgesOfPicture(textsOf(header, tag.PatientOrientation), [1, 0, 0], [0, 1, 0]),
    magnification,
    isInverted: false,
  };
};
