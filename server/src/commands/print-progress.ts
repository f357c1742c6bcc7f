/** Prints progress once a second to stderr, so that the output of the command can go into a file. */
export const createProgressPrinter = () => {
  let told = performance.now();
  return (words: string): void => {
    if (performance.now() - told < 1000) return;
    told = performance.now();
    process.stderr.write(`${words}\n`);
  };
};
