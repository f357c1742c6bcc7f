/** Product name on all screens. index.html shows the same name until the script runs. */
export const productName = 'Radwork';
