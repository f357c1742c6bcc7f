import type { RenderingEngine } from '@cornerstonejs/core';

/** Private fields of the engine (5.14.0) that lead to its graphics contexts. */
type EngineInternals = {
  _implementation?: {
    contextPool?: {
      getAllContexts: () => { getOpenGLRenderWindow?: () => { getCanvas?: () => HTMLCanvasElement | null } }[];
    };
  };
};

const canvasesOf = (engine: RenderingEngine): HTMLCanvasElement[] => {
  const { _implementation } = engine as unknown as EngineInternals;
  return (_implementation?.contextPool?.getAllContexts() ?? []).flatMap(
    (window) => window.getOpenGLRenderWindow?.().getCanvas?.() ?? [],
  );
};

/**
 * Destroys an engine and frees its memory on the graphics card. The engine's own `destroy` keeps contexts and textures:
 * 235 MB for each opened CT, until the browser drops the oldest contexts. Losing the contexts on purpose frees both. A
 * browser test opens and closes the viewer repeatedly, so it fails if the private fields change.
 */
export const disposeEngine = (engine: RenderingEngine) => {
  const canvases = canvasesOf(engine);
  engine.destroy();
  for (const canvas of canvases) {
    // Prevents the imaging library from reporting this intended loss as an error.
    canvas.addEventListener('webglcontextlost', (event) => event.stopImmediatePropagation(), { capture: true });
    (canvas.getContext('webgl2') ?? canvas.getContext('webgl'))?.getExtension('WEBGL_lose_context')?.loseContext();
  }
};
