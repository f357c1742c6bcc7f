import { cache, Enums, imageLoader, metaData, setUseCPURendering, StackViewport, utilities } from '@cornerstonejs/core';
import vtkRenderer from '@kitware/vtk.js/Rendering/Core/Renderer.js';

/** An image of 4 x 4 pixels. */
export type ImageInMemory = {
  imageId: string;
  photometricInterpretation?: 'MONOCHROME1' | 'MONOCHROME2';
  /** Default window of the image. */
  center: number;
  width: number;
  voiLutFunction?: Enums.VOILUTFunctionType;
};

const size = 4;
const screenSize = 200;

const keep = (image: ImageInMemory) => {
  const { imageId, center, width, voiLutFunction = Enums.VOILUTFunctionType.LINEAR } = image;
  const cachedImage = imageLoader.createAndCacheLocalImage(imageId, {
    dimensions: [size, size],
    spacing: [1, 1],
    scalarData: Uint16Array.from({ length: size * size }, (_, index) => index),
  });
  const invert = image.photometricInterpretation === 'MONOCHROME1';
  Object.assign(cachedImage, { windowCenter: center, windowWidth: width, voiLUTFunction: voiLutFunction, invert });
  if (!cache.getImageLoadObject(imageId)) cache.putImageSync(imageId, cachedImage);
};

const describe = (images: readonly ImageInMemory[]) => {
  const { IMAGE_PIXEL, GENERAL_SERIES } = Enums.MetadataModules;
  const described = new Map(images.map((image) => [image.imageId, image]));
  const ofImage = (type: string, imageId: string) => {
    const image = described.get(imageId);
    if (image && type === GENERAL_SERIES) return { modality: 'DX' };
    if (!image || type !== IMAGE_PIXEL) return undefined;
    const { photometricInterpretation = 'MONOCHROME2' } = image;
    return { photometricInterpretation, samplesPerPixel: 1, bitsAllocated: 16, bitsStored: 16, highBit: 15 };
  };
  metaData.addProvider(ofImage, 99_999);
};

const placeOnPage = (): HTMLDivElement => {
  const element = document.createElement('div');
  for (const side of ['clientWidth', 'clientHeight']) Object.defineProperty(element, side, { value: screenSize });
  document.body.append(element);
  return element;
};

/** Simulates a rendering engine for a stack, without output. */
const makeEngine = () => {
  const renderer = vtkRenderer.newInstance();
  return {
    hasBeenDestroyed: false,
    fillCanvasWithBackgroundColor: () => {},
    renderViewport: () => {},
    resize: () => {},
    getRenderer: () => renderer,
  };
};

/**
 * Returns a real stack viewport of the imaging library, without output. Window, inversion, gray curve and camera are
 * those of the library. `draws` names the simulated renderer.
 */
export const stackWithoutScreen = async (
  images: readonly ImageInMemory[],
  draws: 'graphics card' | 'processor' = 'graphics card',
): Promise<StackViewport> => {
  setUseCPURendering(draws === 'processor');
  describe(images);
  images.forEach(keep);
  const engine = makeEngine();
  class WithoutScreen extends StackViewport {
    override getRenderingEngine() {
      return engine as never;
    }
  }
  const viewport = new WithoutScreen({
    id: utilities.uuidv4(),
    renderingEngineId: 'without a screen',
    type: Enums.ViewportType.STACK,
    element: placeOnPage(),
    canvas: Object.assign(document.createElement('canvas'), { width: screenSize, height: screenSize }),
    sx: 0,
    sy: 0,
    sWidth: screenSize,
    sHeight: screenSize,
    defaultOptions: {},
  } as never);
  await viewport.setStack(images.map(({ imageId }) => imageId));
  return viewport;
};

type GreyActor = {
  getProperty: () => { getRGBTransferFunction: (index: number) => { getRedValue: (value: number) => number } };
};

/** Returns the brightness of a pixel value on screen, from 0 to 1. */
export const shownGrey = (viewport: StackViewport, value: number): number => {
  const { actor } = viewport.getDefaultActor();
  return (actor as unknown as GreyActor).getProperty().getRGBTransferFunction(0).getRedValue(value);
};
