import { Enums, eventTarget, RenderingEngine } from '@cornerstonejs/core';
import type { Types } from '@cornerstonejs/tools';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { disposeEngine } from './dispose-engine.ts';
import { forgetOthers } from './forget-images.ts';
import { startImaging } from './imaging.ts';
import { makeTools, releaseTools } from './tools.ts';

/** What pictures are looked at with: the engine that draws them and the tools at hand. A page has one. */
export type ViewBox = { engine: RenderingEngine; tools: Types.IToolGroup };

let made = 0;

const makeViewBox = (): ViewBox => {
  made += 1;
  const id = `view-box-${made}`;
  return { engine: new RenderingEngine(id), tools: makeTools(id) };
};

const putAway = ({ engine, tools }: ViewBox) => {
  releaseTools(tools);
  disposeEngine(engine);
};

/**
 * The view box of a page that shows a study, undefined until it is there; what other studies have loaded goes. When the
 * graphics card takes its memory back (sleep, a driver that restarts) a new one takes its place, and what stands on it
 * must be mounted again. Throws what kept the imaging library from starting: a picture of ours, drawn before it, would
 * stand there with tools that do nothing.
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
      // React cleans up from the outside in: the viewports on the view box still need it to leave in order.
      queueMicrotask(() => mine && putAway(mine));
      setViewBox(undefined);
    };
  }, [studyUid, losses, client]);

  if (failure) throw failure.cause;
  return viewBox;
};
