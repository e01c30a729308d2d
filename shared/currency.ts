/**
 * Currencies whose minor unit is not a hundredth, as payment processors count them. They count Icelandic krónur and Ugandan
 * shillings in hundredths, although these have none.
 */
const zeroDecimal = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ')
const threeDecimal = ['BHD', 'JOD', 'KWD', 'OMR', 'TND']

/** Decimals of an amount in major units: two for lira, none for yen. */
export function decimalsOf(currency: string) {
  const code = currency.toUpperCase()
  return zeroDecimal.includes(code) ? 0 : threeDecimal.includes(code) ? 3 : 2
}

/** Minor units as a decimal text with a point, exact at any size: `-1234.50`. */
export function decimalText(minor: bigint | string, currency: string) {
  const decimals = decimalsOf(currency)
  const [sign, unsigned] = String(minor).startsWith('-') ? ['-', String(minor).slice(1)] : ['', String(minor)]
  const digits = unsigned.padStart(decimals + 1, '0')
  return sign + (decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`)
}
