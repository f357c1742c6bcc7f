import { type ChangeEvent, type DragEvent, useState } from 'react';
import { type FoundFile, filesOfDrop, filesOfInput } from './chosen-files.ts';
import type { ChosenFiles } from './recognize-files.ts';
import type { UploadVisit } from '#imaging/upload/queue/upload-visit.ts';

const carriesFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files');

/**
 * State of choosing files and folders. `dropHandlers` belong to the drop area, `onInput` to file inputs. `isOver` is
 * true while files are held over the drop area. `foundSoFar` is the number of files found so far; undefined if no
 * choice is being read.
 */
export const useFileChoice = (lookInto: UploadVisit['lookInto'], onChosen: (chosen: ChosenFiles) => void) => {
  const [isOver, setIsOver] = useState(false);
  /** Number of files found in each choice under way. */
  const [counts, setCounts] = useState<ReadonlyMap<symbol, number>>(new Map());
  const foundSoFar = counts.size > 0 ? [...counts.values()].reduce((sum, count) => sum + count) : undefined;

  const read = async (files: AsyncIterable<FoundFile> | Iterable<FoundFile>) => {
    const choice = Symbol('choice');
    const onFound = (count: number) => setCounts((known) => new Map(known).set(choice, count));
    onFound(0);
    try {
      const chosenFiles = await lookInto(files, onFound);
      if (chosenFiles) onChosen(chosenFiles);
    } finally {
      setCounts((known) => new Map([...known].filter(([other]) => other !== choice)));
    }
  };
  const onDragOver = (event: DragEvent) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    setIsOver(true);
  };
  const onDragLeave = ({ currentTarget, relatedTarget }: DragEvent) => {
    if (!(relatedTarget instanceof Node) || !currentTarget.contains(relatedTarget)) setIsOver(false);
  };
  const onDrop = (event: DragEvent) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    setIsOver(false);
    void read(filesOfDrop(event.dataTransfer.items));
  };
  const onInput = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    void read(filesOfInput(currentTarget.files ?? []));
    // Clears the input. Otherwise the browser would not report the same files again.
    currentTarget.value = '';
  };
  return { isOver, foundSoFar, onInput, dropHandlers: { onDragOver, onDragLeave, onDrop } };
};

export type Choice = ReturnType<typeof useFileChoice>;
