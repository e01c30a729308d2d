/** Amounts that are typed in dollars and sent in millionths of them. */
const MICROS = 1_000_000

/** Null for an empty field, NaN for what is no amount. Parses 0.25 and 0,25: the separator is always decimal. */
export function textToMicros(text: string) {
  const typed = text.trim().replace(',', '.')
  if (typed === '') return null
  return /^\d+(\.\d{1,6})?$/.test(typed) ? Math.round(Number(typed) * MICROS) : Number.NaN
}

export const microsToText = (micros: number | null) => (micros === null ? '' : String(micros / MICROS))
