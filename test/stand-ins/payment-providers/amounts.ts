/** Minor units of an amount in major units, such as `10.25` or `7`; undefined for any other text. */
export function minorOf(amount: string) {
  const [, whole, fraction = ''] = /^(\d{1,12})(?:\.(\d{1,2}))?$/.exec(amount) ?? []
  return whole === undefined ? undefined : BigInt(whole) * 100n + BigInt(fraction.padEnd(2, '0') || '0')
}

/** Major units with two decimals, such as `10.25`. */
export const majorOf = (minor: bigint) => `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`
