import { getEnabledElement } from '@cornerstonejs/core';
import { state, type Types } from '@cornerstonejs/tools';
import { wordsQuestion } from '#viewer/measuring/words-question.ts';
import { giveUpDrawing } from './give-up.ts';

/** On which element somebody began to draw what they did last; undefined where they took hold of what is drawn. */
let begunOn: HTMLDivElement | undefined;

type Press = { detail: { element: HTMLDivElement } };
type Begin = (event: Press, ...more: unknown[]) => unknown;

/** Has a tool note where something is begun with it. The library (5.14.0) tells of a drawing, and not of its picture. */
export const noteBeginnings = (group: Types.IToolGroup, toolName: string) => {
  const tool: Record<string, Begin | undefined> = group.getToolInstance(toolName);
  const noting = (name: string, isNew: boolean) => {
    const begin = tool[name];
    if (!begin) return;
    tool[name] = (event, ...more) => {
      begunOn = isNew ? event.detail.element : undefined;
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
  if (!state.isInteractingWithTool || !begunOn || wordsQuestion.now() || !getEnabledElement(begunOn)) return;
  giveUpDrawing(begunOn);
};
