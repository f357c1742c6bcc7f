import { Enums, eventTarget, RenderingEngine } from '@cornerstonejs/core';
import type { Types } from '@cornerstonejs/tools';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { disposeEngine } from './dispose-engine.ts';
import { forgetOthers } from '#reading/viewer/engine/loading/free-images.ts';
import { startImaging } from '#reading/viewer/engine/loading/start-imaging.ts';
import { makeTools, releaseTools } from '#reading/viewer/engine/tools/tools.ts';

/** Rendering engine and tools of a page. Each page has its own. */
export type ViewBox = { engine: RenderingEngine; tools: Types.IToolGroup };

let lastNumber = 0;

const makeViewBox = (): ViewBox => {
  lastNumber += 1;
  const id = `view-box-${lastNumber}`;
  return { engine: new RenderingEngine(id), tools: makeTools(id) };
};

const putAway = ({ engine, tools }: ViewBox) => {
  releaseTools(tools);
  disposeEngine(engine);
};

/**
 * Creates the view box of a page with a study, and frees the images of other studies. Undefined until it exists. After
 * a lost graphics context (sleep, driver restart), creates a new view box, and the viewports must mount again. Throws
 * if the imaging library cannot start; otherwise the early first image would stay on the screen with tools that do
 * nothing.
 */
export const useViewBox = (studyUid: string): ViewBox | undefined => {
  const client = useQueryClient();
  const [viewBox, setViewBox] = useState<ViewBox>();
  const [losses, setLosses] = useState(0);
  const [failure, setFailure] = useState<{ cause: unknown }>();

  useEffect(() => {
    let isWanted = true;
    let mine: ViewBox | undefined;
    const open = async () => {
      await startImaging();
      if (!isWanted) return;
      forgetOthers(studyUid, client);
      mine = makeViewBox();
      setViewBox(mine);
    };
    const onLost = ({ detail }: CustomEventInit<{ renderingEngineId: string }>) => {
      if (detail?.renderingEngineId === mine?.engine.id) setLosses((before) => before + 1);
    };
    eventTarget.addEventListener(Enums.Events.WEBGL_CONTEXT_LOST, onLost);
    open().catch((cause: unknown) => isWanted && setFailure({ cause }));
    return () => {
      isWanted = false;
      eventTarget.removeEventListener(Enums.Events.WEBGL_CONTEXT_LOST, onLost);
      // Waits, because React unmounts the outer component first, but the viewports need the view box for their own
      // cleanup.
      queueMicrotask(() => mine && putAway(mine));
      setViewBox(undefined);
    };
  }, [studyUid, losses, client]);

  if (failure) throw failure.cause;
  return viewBox;
};
