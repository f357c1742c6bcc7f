/** What the product is called, everywhere a person reads it. index.html says the same until the script runs. */
export const productName = 'Radwork';
