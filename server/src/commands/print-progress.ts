/** Prints progress once a second to stderr, so that stdout contains only the output of the command. */
export const createProgressPrinter = () => {
  let told = performance.now();
  return (words: string): void => {
    if (performance.now() - told < 1000) return;
    told = performance.now();
    process.stderr.write(`${words}\n`);
  };
};
