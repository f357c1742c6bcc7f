/** Prints progress once a second to stderr, so that stdout contains only the output of the command. */
export const createProgressPrinter = () => {
  let printedAt = performance.now();
  return (words: string): void => {
    if (performance.now() - printedAt < 1000) return;
    printedAt = performance.now();
    process.stderr.write(`${words}\n`);
  };
};
