import { resolve } from 'node:path';
import type { Plugin } from 'vite';

const images = (file: string): string => JSON.stringify(resolve(import.meta.dirname, '../src/viewer/images', file));

type Mend = {
  of?: 'core';
  file: string;
  changes: readonly (readonly [before: string, after: string])[];
  imports?: string;
};

/**
 * Where the image loader, and with `core` what draws (Cornerstone3D 5.14.0), makes other numbers of a frame than its file
 * has, or another window.
 */
export const mends: readonly Mend[] = [
  {
    file: 'decodeImageFrameWorker.js',
    imports: `import { inOrder, makesFractions, measuredNumbers } from ${images('stored-numbers.ts')};\n`,
    changes: [
      // It takes whatever is in a cell for its number, but for a sign, and asks no table for its value.
      [
        `    if (shouldShift && shift !== undefined) {
        for (let i = 0; i < imageFrame.pixelData.length; i++) {
            imageFrame.pixelData[i] = (imageFrame.pixelData[i] << shift) >> shift;
        }
    }
`,
        '    imageFrame.pixelData = measuredNumbers(imageFrame);\n',
      ],
      // Whole numbers, or those of a byte, were chosen by the two ends alone, and by which of them came first.
      [
        'return _getDefaultPixelDataArray(scaledValues.min, scaledValues.max, imageFrame);',
        `if (makesFractions(scalingParameters)) return Float32Array.from(imageFrame.pixelData);
    return _getDefaultPixelDataArray(scaledValues.min, scaledValues.max, imageFrame);`,
      ],
      [
        'function _calculateScaledMinMax(minValue, maxValue, scalingParameters) {',
        `function _calculateScaledMinMax(minValue, maxValue, scalingParameters) {
    return inOrder(_scaledEnds(minValue, maxValue, scalingParameters));
}
function _scaledEnds(minValue, maxValue, scalingParameters) {`,
      ],
    ],
  },
  {
    file: 'imageLoader/createImage.js',
    imports: `import { usableWindow } from ${images('usable-window.ts')};
import { asOrdered } from ${images('kept-numbers.ts')};\n`,
    changes: [
      // Numbers that the type of a volume does not hold began anew at its other end.
      [': new TypedArrayConstructor(imageFrame.pixelData);', ': asOrdered(imageFrame, TypedArrayConstructor);'],
      [
        'const voiLutModule = metaData.get(MetadataModules.VOI_LUT, imageId) || {};',
        'const voiLutModule = usableWindow(metaData.get(MetadataModules.VOI_LUT, imageId) || {}, imageFrame);',
      ],
      // The processor would take tables that it does not understand, after those that were taken already.
      ['image.modalityLUT = modalityLutModule.modalityLUTSequence[0];', 'image.modalityLUT = undefined;'],
      ['image.voiLUT = voiLutModule.voiLUTSequence[0];', 'image.voiLUT = undefined;'],
      // Of a palette it knows no segments, no 65,536 entries, and takes bits and first value of all channels from red.
      [
        '        [redData, greenData, blueData] = await Promise.all([',
        `        const ours = metaData.get('colourTables', imageId);
        if (ours) {
            imageFrame.redPaletteColorLookupTableDescriptor = [0, ours.first, 8];
            for (const channel of ['red', 'green', 'blue']) paletteDescriptors[channel] = [0, ours.first, 8];
        }
        [redData, greenData, blueData] = ours ? ours.tables : await Promise.all([`,
      ],
      // What is thrown after decoding, as of a palette in segments, was told to nobody: the picture was on its way for ever.
      ['            resolve(image);\n        }, reject);', '            resolve(image);\n        }).catch(reject);'],
    ],
  },
  {
    file: 'imageLoader/getImageFrame.js',
    changes: [
      [
        'bitsStored: imagePixelModule.bitsStored,',
        `bitsStored: imagePixelModule.bitsStored, highBit: imagePixelModule.highBit,
        modalityTable: metaData.get('modalityTable', imageId),`,
      ],
    ],
  },
  {
    file: 'imageLoader/setPixelDataType.js',
    changes: [
      [
        'function setPixelDataType(imageFrame) {',
        'function setPixelDataType(imageFrame) {\n    if (imageFrame.pixelData instanceof Float32Array) return;',
      ],
    ],
  },
  {
    of: 'core',
    file: 'utilities/generateVolumePropsFromImageIds.js',
    imports: `import { get as metadataOf } from '../metaData.js';
import { typeThatHolds } from ${images('kept-numbers.ts')};\n`,
    changes: [
      // Three images spoke for all, by what was enough for their own numbers.
      [
        '    const cachedDataType = _getDataTypeFromCache(imageIds);',
        `    const known = (imageId) => ({ ...metadataOf('imagePixelModule', imageId), ...getScalingParameters(imageId) });
    const holding = typeThatHolds(imageIds.map(known), canRenderFloatTextures());
    if (holding) return holding;
    const cachedDataType = _getDataTypeFromCache(imageIds);`,
      ],
    ],
  },
  {
    of: 'core',
    file: 'RenderingEngine/helpers/setDefaultVolumeVOI.js',
    imports: `import { usableWindow } from ${images('usable-window.ts')};\n`,
    changes: [
      // The window of a PET is in the unit of its file, also where its numbers have become uptake.
      [
        '    let voi = getVOIFromMetadata(imageVolume);',
        `    if (imageVolume.scaling?.PT?.suvbw) return { lower: 0, upper: 5 };
    let voi = getVOIFromMetadata(imageVolume);`,
      ],
      [
        'const voiLutModule = metaData.get(MetadataModules.VOI_LUT, imageId);',
        'const voiLutModule = usableWindow(metaData.get(MetadataModules.VOI_LUT, imageId) || {});',
      ],
      // The name of its formula was read, and dropped.
      [
        'voi = { windowWidth: width, windowCenter: center };',
        'voi = { windowWidth: width, windowCenter: center, voiLUTFunction: voiLutModule.voiLUTFunction[0] };',
      ],
    ],
  },
  {
    of: 'core',
    file: 'RenderingEngine/vtkClasses/vtkStreamingOpenGLTexture.js',
    imports: `import { fillWithin } from ${images('kept-numbers.ts')};\n`,
    changes: [['convertedData.set(data);', 'fillWithin(convertedData, data);']],
  },
];

/** Throws when it is not the code that was mended. */
export const withTrueNumbers = (code: string, { changes, imports = '' }: Mend): string =>
  changes.reduce((changed, [before, after]) => {
    if (changed.split(before).length !== 2) {
      throw new Error(
        'The imaging library makes numbers of frames in another way: see whether they are still wrong (web/build/mend-numbers.ts)',
      );
    }
    return changed.replace(before, () => after);
  }, imports + code);

/** Has the numbers of a picture be those that its file has, as they are shown and measured. */
export const mendNumbers = (): Plugin => ({
  name: 'mend-numbers',
  enforce: 'pre',
  transform: (code, id) => {
    const [path = '', asked = ''] = id.split('?');
    // Where only the address of a worker is wanted there is no code yet.
    if (asked.startsWith('worker&url')) return null;
    const mend = mends.find(({ of = 'dicom-image-loader', file }) => path.endsWith(`/${of}/dist/esm/${file}`));
    return mend ? withTrueNumbers(code, mend) : null;
  },
});
