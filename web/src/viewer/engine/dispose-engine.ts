import type { RenderingEngine } from '@cornerstonejs/core';

/** The part of the engine's insides, as of 5.14.0, that leads to its graphics contexts. It has no public name. */
type Insides = {
  _implementation?: {
    contextPool?: {
      getAllContexts: () => { getOpenGLRenderWindow?: () => { getCanvas?: () => HTMLCanvasElement | null } }[];
    };
  };
};

const canvasesOf = (engine: RenderingEngine): HTMLCanvasElement[] => {
  const { _implementation } = engine as unknown as Insides;
  return (_implementation?.contextPool?.getAllContexts() ?? []).flatMap(
    (window) => window.getOpenGLRenderWindow?.().getCanvas?.() ?? [],
  );
};

/**
 * Destroys an engine and everything it holds on the graphics card. The engine's own `destroy` keeps its contexts and
 * textures (235 MB for each opening of a CT, and the browser drops the oldest contexts): losing the contexts on
 * purpose frees both. A browser test opens and leaves the viewer often enough to notice when the insides have moved.
 */
export const disposeEngine = (engine: RenderingEngine) => {
  const canvases = canvasesOf(engine);
  engine.destroy();
  for (const canvas of canvases) {
    // The library would report the loss as an accident.
    canvas.addEventListener('webglcontextlost', (event) => event.stopImmediatePropagation(), { capture: true });
    (canvas.getContext('webgl2') ?? canvas.getContext('webgl'))?.getExtension('WEBGL_lose_context')?.loseContext();
  }
};
