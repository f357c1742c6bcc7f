/** Tells whoever waits how far it is, once a second, beside what the command answers, so that this can go into a file. */
export const tellingEverySecond = () => {
  let told = performance.now();
  return (words: string): void => {
    if (performance.now() - told < 1000) return;
    told = performance.now();
    process.stderr.write(`${words}\n`);
  };
};
