// Numbers and small phrases, as they appear in captions, cards and tables.

/** Two decimals and a sign: "+0.31", "−1.00", "0.00". */
export function signed(value, digits = 2) {
  const text = Math.abs(value).toFixed(digits);
  if (Number(text) === 0) return text;
  return (value < 0 ? "−" : "+") + text;
}

/** A sum of returns: an integer as "+12", otherwise with two decimals. */
export const total = (value) => signed(value, Number.isInteger(Math.round(value * 1e6) / 1e6) ? 0 : 2);

/** A number without a sign if it is positive; an infinite one as the sign for it. */
export function plain(value, digits = 2) {
  if (value === Infinity) return "∞";
  if (value === -Infinity) return "−∞";
  return signed(value, digits).replace("+", "");
}

export const count = (number) => number.toLocaleString("en-US");

export const plural = (number, one, many = `${one}s`) => `${count(number)} ${number === 1 ? one : many}`;

/** "7.5%", "75%". */
export const percent = (share) => `${(100 * share).toFixed(share > 0 && share < 0.0995 ? 1 : 0)}%`;

export const meanValue = (visits, totalValue) => (visits ? totalValue / visits : 0);
