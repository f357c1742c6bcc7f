import { init, RenderingEngine, type StackViewport, type Types } from '@cornerstonejs/core';
import { annotation, LengthTool, state } from '@cornerstonejs/tools';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { imageIdOf } from '#reading/viewer/images/series/series-loader.ts';
import { stackWithoutScreen } from '#test/stack-without-graphics.ts';
import { endOnAnotherImage } from './unfinished-drawing.ts';
import { makeTools, registerTools, activateTool } from './tools.ts';
import { goToImage } from '#reading/viewer/engine/stack/view-commands.ts';

beforeAll(() => {
  init({ debug: {}, rendering: { useCPURendering: true } });
  registerTools();
});

/** Private mouse handlers of the tools in the imaging library. */
type Mouse = {
  addNewAnnotation: (event: object) => unknown;
  handleSelectedCallback: (event: object, one: object, handle: object) => void;
  _dragCallback: (event: object) => void;
  _endCallback: (event: object) => void;
};

let lastNumber = 0;

/** Returns a stack of two images on an engine of the imaging library, with the ruler as active tool. */
const stackUnderRuler = async () => {
  lastNumber += 1;
  const imageIds = ['3', '4'].map((end) => imageIdOf('2.25.1', '2.25.2', `2.25.${lastNumber}${end}`, 1));
  const images = imageIds.map((imageId) => ({ imageId, center: 8, width: 16 }));
  const viewport = await stackWithoutScreen(images, 'processor');
  const engine = new RenderingEngine(`half drawn ${lastNumber}`);
  const inside = engine as unknown as { _implementation: { _viewports: Map<string, StackViewport> } };
  inside._implementation._viewports.set(viewport.id, viewport);
  Object.assign(viewport.element.dataset, { viewportUid: viewport.id, renderingEngineUid: engine.id });
  const tools = makeTools(`half drawn ${lastNumber}`);
  tools.addViewport(viewport.id, engine.id);
  activateTool(tools, LengthTool.toolName);
  const stopEnding = endOnAnotherImage(viewport);
  const ruler = tools.getToolInstance(LengthTool.toolName) as unknown as Mouse;
  onTestFinished(() => {
    stopEnding();
    annotation.state.removeAllAnnotations();
    state.isInteractingWithTool = false;
  });
  const at = (world: Types.Point3) => ({
    detail: {
      element: viewport.element,
      currentPoints: { world, canvas: viewport.worldToCanvas(world) },
      deltaPoints: { world: [1, 0, 0] },
    },
    preventDefault: () => {},
  });
  return { viewport, ruler, at };
};

const annotations = () => annotation.state.getAllAnnotations();
const ends = () => annotations().map(({ data }) => data.handles?.points);

/** Waits until the requested image is drawn. */
const untilDrawn = async (viewport: StackViewport) => {
  await expect.poll(() => viewport.getCornerstoneImage().imageId).toBe(viewport.getCurrentImageId());
};

test('an unfinished line is canceled when another image is requested', async () => {
  const { viewport, ruler, at } = await stackUnderRuler();
  ruler.addNewAnnotation(at([0, 0, 0]));
  expect(annotations()).toHaveLength(1);

  goToImage(viewport, 1);

  expect(annotations()).toEqual([]);
  expect(state.isInteractingWithTool).toBe(false);
});

test('an unfinished line stays when the shown image is requested again', async () => {
  const { viewport, ruler, at } = await stackUnderRuler();
  ruler.addNewAnnotation(at([0, 0, 0]));

  await viewport.setImageIdIndex(0);

  expect(annotations()).toHaveLength(1);
});

test('the user cannot draw on the old image while another image is loading', async () => {
  const { viewport, ruler, at } = await stackUnderRuler();
  goToImage(viewport, 1);

  ruler.addNewAnnotation(at([0, 0, 0]));
  expect(annotations()).toEqual([]);

  await untilDrawn(viewport);
  ruler.addNewAnnotation(at([0, 0, 0]));
  expect(annotations().map(({ metadata }) => metadata?.referencedImageId)).toEqual([viewport.getCurrentImageId()]);
});

test('a dragged handle is released when another image is requested', async () => {
  const { viewport, ruler, at } = await stackUnderRuler();
  ruler.addNewAnnotation(at([0, 0, 0]));
  ruler._dragCallback(at([2, 0, 0]));
  ruler._endCallback(at([2, 0, 0]));
  const [line] = annotations();
  const handle = line?.data.handles?.points?.[1];
  if (!line || !handle) throw new Error('A line has two ends');
  ruler.handleSelectedCallback(at([2, 0, 0]), line, handle);
  expect(state.isInteractingWithTool).toBe(true);

  goToImage(viewport, 1);

  expect(state.isInteractingWithTool).toBe(false);
  expect(ends()).toEqual([
    [
      [0, 0, 0],
      [2, 0, 0],
    ],
  ]);
});
