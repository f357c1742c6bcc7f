/** Product name on all screens. index.html repeats it until the script runs. */
export const productName = 'Radwork';
