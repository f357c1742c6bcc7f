import {
  Enums as CoreEnums,
  getEnabledElement,
  StackViewport,
  triggerEvent,
  type Types as Core,
} from '@cornerstonejs/core';
import { Enums, state, type Types } from '@cornerstonejs/tools';
import { toast } from '#core/toasts.ts';
import { wordsQuestion } from '#viewer/measuring/words-question.ts';
import { type DrawnWith, giveUpDrawing } from './give-up.ts';

/** What somebody took in hand last, with what and on which element: something new, or what lay there before. */
let held: { element: HTMLDivElement; tool: DrawnWith; isNew: boolean } | undefined;

type Press = { detail: { element: HTMLDivElement } };
type Begin = (event: Press, ...more: unknown[]) => unknown;

/** Whether a stack still shows another image than the one that it was asked for. */
const isOnItsWay = (element: HTMLDivElement): boolean => {
  const viewport = getEnabledElement(element)?.viewport;
  return viewport instanceof StackViewport && viewport.getCornerstoneImage()?.imageId !== viewport.getCurrentImageId();
};

/**
 * Has a tool note where something is begun with it. The library (5.14.0) tells of a drawing, and not of its picture; and
 * what is begun while an image is on its way it takes for one on that image, whatever is seen.
 */
export const noteBeginnings = (group: Types.IToolGroup, toolName: string) => {
  const tool: Record<string, Begin | undefined> = group.getToolInstance(toolName);
  const noting = (name: string, isNew: boolean) => {
    const begin = tool[name];
    if (!begin) return;
    tool[name] = (event, ...more) => {
      const { element } = event.detail;
      if (isOnItsWay(element)) {
        toast.info('The image that you asked for is still on its way: measure when it is there');
        return undefined;
      }
      held = { element, tool, isNew };
      return begin.call(tool, event, ...more);
    };
  };
  noting('addNewAnnotation', true);
  noting('handleSelectedCallback', false);
  noting('toolSelectedCallback', false);
};

/**
 * Gives up what has only some of its points: the mouse would go on drawing it, whatever is in hand. What waits for its
 * words has all of them.
 */
export const giveUpHalfDrawn = () => {
  if (!state.isInteractingWithTool || !held?.isNew || wordsQuestion.now() || !getEnabledElement(held.element)) return;
  giveUpDrawing(held.element);
};

/**
 * Has what is in hand on a stack end with its image: the library would go on with it on the next one, and a line would
 * lead from slice to slice. What is half drawn is given up, what is moved is let go of. Answers with how to stop.
 */
export const endOnAnotherImage = (viewport: StackViewport): (() => void) => {
  const { element } = viewport;
  const onAsked = (event: Event) => {
    const { imageId } = (event as Core.EventTypes.PreStackNewImageEvent).detail;
    const isSame = viewport.getCornerstoneImage()?.imageId === imageId;
    if (isSame || !state.isInteractingWithTool || held?.element !== element || wordsQuestion.now()) return;
    if (held.isNew) giveUpDrawing(element, held.tool);
    else triggerEvent(element, Enums.Events.MOUSE_UP, { element });
  };
  element.addEventListener(CoreEnums.Events.PRE_STACK_NEW_IMAGE, onAsked);
  return () => element.removeEventListener(CoreEnums.Events.PRE_STACK_NEW_IMAGE, onAsked);
};
