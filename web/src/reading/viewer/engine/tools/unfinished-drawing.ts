import { t } from '@lingui/core/macro';
import {
  Enums as CoreEnums,
  getEnabledElement,
  StackViewport,
  triggerEvent,
  type Types as Core,
} from '@cornerstonejs/core';
import { Enums, state, type Types } from '@cornerstonejs/tools';
import { toast } from '#core/browser/toasts.ts';
import { textQuestion } from '#reading/viewer/measuring/annotation-text-question.ts';
import { type DrawnWith, discardDrawing } from './discard-drawing.ts';

/** Last interaction with a drawing: element, tool, and whether the drawing was new. */
let lastInteraction: { element: HTMLDivElement; tool: DrawnWith; isNew: boolean } | undefined;

type Press = { detail: { element: HTMLDivElement } };
type Begin = (event: Press, ...more: unknown[]) => unknown;

/** Whether a stack shows another image than the one requested. */
const isOnItsWay = (element: HTMLDivElement): boolean => {
  const viewport = getEnabledElement(element)?.viewport;
  return viewport instanceof StackViewport && viewport.getCornerstoneImage()?.imageId !== viewport.getCurrentImageId();
};

/**
 * Records where a drawing begins, and prevents drawing while an image loads. The imaging library (5.14.0) reports a
 * drawing without its image. It assigns the drawing to the requested image even if another image is on the screen.
 */
export const trackDrawingStart = (group: Types.IToolGroup, toolName: string) => {
  const tool: Record<string, Begin | undefined> = group.getToolInstance(toolName);
  const noting = (name: string, isNew: boolean) => {
    const begin = tool[name];
    if (!begin) return;
    tool[name] = (event, ...more) => {
      const { element } = event.detail;
      if (isOnItsWay(element)) {
        toast.info(t`The image is still loading. Measure when it appears.`);
        return undefined;
      }
      lastInteraction = { element, tool, isNew };
      return begin.call(tool, event, ...more);
    };
  };
  noting('addNewAnnotation', true);
  noting('handleSelectedCallback', false);
  noting('toolSelectedCallback', false);
};

/**
 * Cancels a drawing that lacks points. Otherwise the mouse would continue it with any tool. A text that waits for its
 * words already has all points.
 */
export const discardUnfinishedDrawing = () => {
  if (
    !state.isInteractingWithTool ||
    !lastInteraction?.isNew ||
    textQuestion.now() ||
    !getEnabledElement(lastInteraction.element)
  )
    return;
  discardDrawing(lastInteraction.element);
};

/**
 * Ends an interaction when the stack changes its image. Otherwise the imaging library would continue the interaction on
 * the next image, so a line could cross slices. Cancels an unfinished annotation. Releases an annotation that is being
 * moved. Returns a function that stops listening for image changes.
 */
export const endOnAnotherImage = (viewport: StackViewport): (() => void) => {
  const { element } = viewport;
  const onNewImage = (event: Event) => {
    const { imageId } = (event as Core.EventTypes.PreStackNewImageEvent).detail;
    const isSame = viewport.getCornerstoneImage()?.imageId === imageId;
    if (isSame || !state.isInteractingWithTool || lastInteraction?.element !== element || textQuestion.now()) return;
    if (lastInteraction.isNew) discardDrawing(element, lastInteraction.tool);
    else triggerEvent(element, Enums.Events.MOUSE_UP, { element });
  };
  element.addEventListener(CoreEnums.Events.PRE_STACK_NEW_IMAGE, onNewImage);
  return () => element.removeEventListener(CoreEnums.Events.PRE_STACK_NEW_IMAGE, onNewImage);
};
