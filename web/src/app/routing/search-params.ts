/**
 * Reads and writes search parameters as plain text. By default the router uses JSON, which changes the Patient ID
 * 12345678901234567890 to 12345678901234567000.
 */
export const parseSearch = (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text));

export const stringifySearch = (search: Record<string, unknown>): string => {
  const pairs = Object.entries(search).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [[name, String(value)]] : [],
  );
  const text = String(new URLSearchParams(pairs.filter(([, value]) => value !== '')));
  return text && `?${text}`;
};
