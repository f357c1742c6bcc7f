import { useEffect, useState } from 'react';
import { asPng, composePicture } from './compose-picture.ts';
import type { Layers, Picture } from './picture.ts';
import { pictureTextOf } from './picture-text.ts';

export type PictureChoice = {
  isIdentified: boolean;
  isDrawnShown: boolean;
  /** Whether to use the resolution of the image instead of the screen. */
  isWhole: boolean;
};

/** File composed from the user's choices, and the address of its preview. */
export type ComposedPicture =
  | { state: 'composing' }
  | { state: 'failed' }
  | { state: 'here'; file: Blob; address: string; width: number; height: number };

const layersFor = async ({ layers, drawWhole }: Picture, isWhole: boolean): Promise<Layers> =>
  isWhole && drawWhole ? drawWhole() : layers;

/** Composes the picture from the user's choices. The preview is byte for byte the saved file. */
export const useComposedPicture = (
  picture: Picture,
  { isIdentified, isDrawnShown, isWhole }: PictureChoice,
): ComposedPicture => {
  const [made, setMade] = useState<{ of: string; composed: ComposedPicture }>();
  const requestKey = `${isIdentified} ${isDrawnShown} ${isWhole}`;

  useEffect(() => {
    let isWanted = true;
    let address = '';
    const compose = async () => {
      const layers = await layersFor(picture, isWhole);
      const words = pictureTextOf(picture, isIdentified);
      const canvas = await composePicture({ layers, edges: picture.edges, words, isDrawnShown });
      const file = await asPng(canvas);
      if (!isWanted) return;
      address = URL.createObjectURL(file);
      const { width, height } = canvas;
      setMade({ of: requestKey, composed: { state: 'here', file, address, width, height } });
    };
    compose().catch(() => isWanted && setMade({ of: requestKey, composed: { state: 'failed' } }));
    return () => {
      isWanted = false;
      URL.revokeObjectURL(address);
    };
  }, [picture, requestKey, isIdentified, isDrawnShown, isWhole]);

  return made?.of === requestKey ? made.composed : { state: 'composing' };
};
