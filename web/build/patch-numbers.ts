import { resolve } from 'node:path';
import type { Plugin } from 'vite';

const images = (file: string): string =>
  JSON.stringify(resolve(import.meta.dirname, '../src/reading/viewer/images', file));

const viewer = (file: string): string => JSON.stringify(resolve(import.meta.dirname, '../src/reading/viewer', file));

type NumberPatch = {
  of?: 'core' | 'tools';
  file: string;
  changes: readonly (readonly [before: string, after: string])[];
  imports?: string;
};

/**
 * Places where the image loader changes pixel values or windows (Cornerstone3D 5.14.0), each with its correction. With
 * `core`, the place is in the renderer, with `tools` in the measuring tools.
 */
export const numberPatches: readonly NumberPatch[] = [
  {
    file: 'decodeImageFrameWorker.js',
    imports: `import { inOrder, makesFractions, measuredNumbers } from ${images('values/stored-values.ts')};\n`,
    changes: [
      // The original reads all allocated bits, including unused ones. It corrects only the sign, and ignores the
      // modality LUT.
      [
        `    if (shouldShift && shift !== undefined) {
        for (let i = 0; i < imageFrame.pixelData.length; i++) {
            imageFrame.pixelData[i] = (imageFrame.pixelData[i] << shift) >> shift;
        }
    }
`,
        '    imageFrame.pixelData = measuredNumbers(imageFrame);\n',
      ],
      // The original chooses the type of the array from the two extreme values only. The result depends on the order of
      // these values.
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
    file: 'shared/decoders/decodeLittleEndian.js',
    changes: [
      // The original refuses values of 32 bits that begin at byte 2 of 4, which depends on the length of a response. It
      // returns no values of 64 bits (PS3.3 §C.7.6.25). The graphics card draws 32 bits of them.
      [
        `    else if (imageFrame.bitsAllocated === 32) {
        if (offset % 2) {`,
        `    else if (imageFrame.bitsAllocated === 64) {
        const values = new Float64Array(arrayBuffer.slice(offset, offset + length - (length % 8)));
        imageFrame.pixelData = Float32Array.from(values);
    }
    else if (imageFrame.bitsAllocated === 32) {
        if (offset % 4) {`,
      ],
    ],
  },
  {
    file: 'imageLoader/createImage.js',
    imports: `import { usableWindow } from ${images('header/usable-window.ts')};
import { asOrdered } from ${images('values/volume-values.ts')};
import { countedValues } from ${images('values/counted-values.ts')};\n`,
    changes: [
      // In the original, values outside the range of the array type wrap around.
      [': new TypedArrayConstructor(imageFrame.pixelData);', ': asOrdered(imageFrame, TypedArrayConstructor);'],
      [
        'const voiLutModule = metaData.get(MetadataModules.VOI_LUT, imageId) || {};',
        `const counted = countedValues(imageFrame, metaData.get('uncountedValues', imageId), metaData.get('modalityTable', imageId));
            const voiLutModule = usableWindow(metaData.get(MetadataModules.VOI_LUT, imageId) || {}, imageFrame, isColorImage ? undefined : counted.window);`,
      ],
      // In the original, padding counts in the window of an image without one, and in the range of its values.
      [
        'minPixelValue: imageFrame.smallestPixelValue,',
        'minPixelValue: isColorImage ? imageFrame.smallestPixelValue : counted.min,',
      ],
      [
        'maxPixelValue: imageFrame.largestPixelValue,',
        'maxPixelValue: isColorImage ? imageFrame.largestPixelValue : counted.max,',
      ],
      // Removes the tables. The CPU renderer would apply them again, and would apply those of an unsupported form.
      ['image.modalityLUT = modalityLutModule.modalityLUTSequence[0];', 'image.modalityLUT = undefined;'],
      ['image.voiLUT = voiLutModule.voiLUTSequence[0];', 'image.voiLUT = undefined;'],
      // The original does not support segmented palettes or palettes of 65,536 entries. It uses the bits and first
      // value of red for all channels.
      [
        '        [redData, greenData, blueData] = await Promise.all([',
        `        const ours = metaData.get('colourTables', imageId);
        if (ours) {
            imageFrame.redPaletteColorLookupTableDescriptor = [0, ours.first, 8];
            for (const channel of ['red', 'green', 'blue']) paletteDescriptors[channel] = [0, ours.first, 8];
        }
        [redData, greenData, blueData] = ours ? ours.tables : await Promise.all([`,
      ],
      // In the original, errors after decoding, such as for segmented palettes, are lost, and the image loads forever.
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
import { loadedEnds, typeThatHolds } from ${images('values/volume-values.ts')};\n`,
    changes: [
      // In the original, three images decide the type of the array for all images, from their own values only.
      [
        '    const cachedDataType = _getDataTypeFromCache(imageIds);',
        `    const known = (imageId) => ({
        ...metadataOf('imagePixelModule', imageId), ...getScalingParameters(imageId), loaded: loadedEnds(cache.getImage(imageId)),
    });
    const holding = typeThatHolds(imageIds.map(known), canRenderFloatTextures());
    if (holding) return holding;
    const cachedDataType = _getDataTypeFromCache(imageIds);`,
      ],
    ],
  },
  {
    of: 'core',
    file: 'RenderingEngine/helpers/setDefaultVolumeVOI.js',
    imports: `import { usableWindow } from ${images('header/usable-window.ts')};\n`,
    changes: [
      // The window of a PET must keep the unit of the file, even if the pixel values were converted to SUV.
      [
        '    let voi = getVOIFromMetadata(imageVolume);',
        `    if (imageVolume.scaling?.PT?.suvbw) return { lower: 0, upper: 5 };
    let voi = getVOIFromMetadata(imageVolume);`,
      ],
      [
        'const voiLutModule = metaData.get(MetadataModules.VOI_LUT, imageId);',
        'const voiLutModule = usableWindow(metaData.get(MetadataModules.VOI_LUT, imageId) || {});',
      ],
      // The original uses all values of the middle image, including padding.
      [
        'let { min, max } = image.voxelManager.getMinMax();',
        `if (image.windowWidth) return windowLevel.toLowHighRange(image.windowWidth, image.windowCenter, image.voiLUTFunction);
    let { min, max } = image.voxelManager.getMinMax();`,
      ],
      // The original reads the VOI LUT function but does not pass it on.
      [
        'voi = { windowWidth: width, windowCenter: center };',
        'voi = { windowWidth: width, windowCenter: center, voiLUTFunction: voiLutModule.voiLUTFunction[0] };',
      ],
    ],
  },
  {
    of: 'core',
    file: 'RenderingEngine/vtkClasses/vtkStreamingOpenGLTexture.js',
    imports: `import { asFloats, emptySlice, fillWithin } from ${images('values/volume-values.ts')};
import { beginUploads, holdsSlice, noteUpload } from ${viewer('volumes/uploaded-slices.ts')};\n`,
    changes: [
      ['convertedData.set(data);', 'fillWithin(convertedData, data);'],
      // The planes hatch slices that the graphics card does not hold (patch-vtk.ts).
      [
        '    const superCreate3DFilterableFromRaw = publicAPI.create3DFilterableFromRaw;',
        `    const superCreate3DFromRaw = publicAPI.create3DFromRaw;
    publicAPI.create3DFromRaw = (options) => {
        beginUploads(publicAPI, options.depth);
        return superCreate3DFromRaw(options);
    };
    const superCreate3DFilterableFromRaw = publicAPI.create3DFilterableFromRaw;`,
      ],
      [
        '        model.inputDataType = dataType;\n        model.inputNumComps = numberOfComponents;',
        `        model.inputDataType = dataType;
        model.inputNumComps = numberOfComponents;
        beginUploads(publicAPI, depth);`,
      ],
      // An image that arrived without its pixels is no slice. The original also makes a new array for each slice, whose
      // memory takes longer than its values.
      [
        `                let data = image.voxelManager.getScalarData();
                const gl = model.context;
                if (volume.dataType !== data.constructor.name) {
                    data = convertDataType(data, volume.dataType);
                }
                const [pixData] = publicAPI.updateArrayDataTypeForGL(volume.dataType, [
                    data,
                ]);
                publicAPI.bind();
                const zOffset`,
        `                let data = image.voxelManager.getScalarData();
                if (data.length < model.width * model.height) continue;
                const gl = model.context;
                if (volume.dataType !== data.constructor.name) {
                    data = convertDataType(data, volume.dataType);
                }
                const needsFloats = model.openGLDataType === gl.FLOAT && volume.dataType !== 'Float32Array';
                const pixData = needsFloats
                    ? asFloats(model, data)
                    : publicAPI.updateArrayDataTypeForGL(volume.dataType, [data])[0];
                publicAPI.bind();
                const zOffset`,
      ],
      [
        `                publicAPI.deactivate();
                model.updatedFrames[i] = null;`,
        `                publicAPI.deactivate();
                noteUpload(publicAPI, i);
                model.updatedFrames[i] = null;`,
      ],
      // In the original, a slice that could not be loaded has the value 0 in a volume rendering, which is water in CT.
      [
        `        const imageIds = volume.imageIds;
        for (let i = 0; i < model.updatedFrames.length; i++) {
            if (model.updatedFrames[i]) {`,
        `        const imageIds = volume.imageIds;
        const empty = volume.loadStatus?.loaded && emptySlice(model, volume.dataType, model.width * model.height);
        if (empty) {
            const [none] = publicAPI.updateArrayDataTypeForGL(volume.dataType, [empty]);
            publicAPI.bind();
            for (let i = 0; i < imageIds.length; i++) {
                if (holdsSlice(publicAPI, i) || cache.getImage(imageIds[i])?.rows > 0) continue;
                model.context.texSubImage3D(model.target, 0, 0, 0, i, model.width, model.height, 1, model.format, model.openGLDataType, none);
            }
        }
        for (let i = 0; i < model.updatedFrames.length; i++) {
            if (model.updatedFrames[i]) {`,
      ],
    ],
  },
  {
    of: 'tools',
    file: 'utilities/sampleAreaAnnotationVoxels.js',
    imports: `import { cache, metaData } from '@cornerstonejs/core';
import { onlyCounted } from ${images('values/counted-values.ts')};\n`,
    changes: [
      // In the original, padding counts in the mean, the deviation and the extremes of a region.
      [
        '        onSample,\n        storePointData,\n    });',
        `        onSample: onlyCounted(onSample, (slice) => {
            const volume = cache.getVolumes().find((one) => one.voxelManager === voxelManager);
            const imageId = volume ? volume.imageIds[slice] : annotation.metadata.referencedImageId;
            return {
                // A stack still draws an image that has left the cache.
                image: cache.getImage(imageId) ?? image,
                uncounted: metaData.get('uncountedValues', imageId),
                table: metaData.get('modalityTable', imageId),
            };
        }),
        storePointData,
    });`,
      ],
    ],
  },
];

/** Applies a correction. Throws if the code of the library has changed. */
export const withTrueNumbers = (code: string, { changes, imports = '' }: NumberPatch): string =>
  changes.reduce((changed, [before, after]) => {
    if (changed.split(before).length !== 2) {
      throw new Error(
        'The imaging library makes numbers of frames in another way: see whether they are still wrong (web/build/patch-numbers.ts)',
      );
    }
    return changed.replace(before, () => after);
  }, imports + code);

/** Keeps pixel values as stored in the file, for display and measurements. */
export const patchNumbers = (): Plugin => ({
  name: 'mend-numbers',
  enforce: 'pre',
  transform: (code, id) => {
    const [path = '', search = ''] = id.split('?');
    // Skips a request for the URL of a worker, which contains no code yet.
    if (search.startsWith('worker&url')) return null;
    const patch = numberPatches.find(({ of = 'dicom-image-loader', file }) => path.endsWith(`/${of}/dist/esm/${file}`));
    return patch ? withTrueNumbers(code, patch) : null;
  },
});
