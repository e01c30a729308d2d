/** A post: the part of the week in which it was published, and the logarithm of 1 and its reactions. In the order of time. */
type Sample<Part> = { part: Part; value: number }

/** Posts around a post whose median says what was usual then, so that growth of the account is not taken for an effect. */
const NEIGHBORS = 60
export const MIN_POSTS = 60
export const MIN_IN_PART = 8
/** Probability that any part stands out although none does. */
const ERROR_RATE = 0.05

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

function median(values: readonly number[]) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const [low = 0, high = 0] = [sorted[sorted.length % 2 ? middle : middle - 1], sorted[middle]]
  return (low + high) / 2
}

/** Each value against the median of those around it. */
function againstUsual(values: readonly number[]) {
  const width = Math.min(NEIGHBORS, values.length - 1)
  return values.map((value, index) => {
    const from = Math.max(0, Math.min(index - width / 2, values.length - 1 - width))
    const around = values.slice(from, from + width + 1)
    return value - median(around.toSpliced(index - from, 1))
  })
}

/** The value that a normal distribution exceeds with this small probability, by the rational approximation of Acklam. */
function normalQuantile(tail: number) {
  const q = Math.sqrt(-2 * Math.log(tail))
  const above =
    ((((-0.007784894002430293 * q - 0.3223964580411365) * q - 2.400758277161838) * q - 2.549732539343734) * q +
      4.374664141464968) *
      q +
    2.938163982698783
  const below =
    (((0.007784695709041462 * q + 0.3224671290700398) * q + 2.445134137142996) * q + 3.754408661907416) * q + 1
  return -above / below
}

/** The same for the distribution of Student: with the first terms of its expansion by Cornish and Fisher. */
function studentQuantile(tail: number, freedom: number) {
  const z = normalQuantile(tail)
  return z + (z ** 3 + z) / (4 * freedom) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2)
}

/**
 * Finds the parts in which posts did better than in all others, by a factor from `low` to `high`. One test for each part
 * with enough posts, and a bound that is corrected for their number (Bonferroni).
 */
export function compareParts<Part>(samples: readonly Sample<Part>[]) {
  const values = againstUsual(samples.map(({ value }) => value))
  const groups = Map.groupBy(
    samples.map(({ part }, index) => ({ part, value: values[index] ?? 0 })),
    ({ part }) => part,
  )
  const tested = [...groups].filter(
    ([, own]) => own.length >= MIN_IN_PART && samples.length - own.length >= MIN_IN_PART,
  )
  const found = new Map<Part, { low: number; high: number }>()
  if (samples.length < MIN_POSTS) return found
  for (const [part, own] of tested) {
    const inside = own.map(({ value }) => value)
    const rest = [...groups]
      .filter(([other]) => other !== part)
      .flatMap(([, others]) => others.map(({ value }) => value))
    const [a, b] = [mean(inside), mean(rest)]
    const freedom = samples.length - 2
    const squares =
      inside.reduce((sum, value) => sum + (value - a) ** 2, 0) + rest.reduce((sum, value) => sum + (value - b) ** 2, 0)
    const margin =
      studentQuantile(ERROR_RATE / tested.length, freedom) *
      Math.sqrt((squares / freedom) * (1 / inside.length + 1 / rest.length))
    if (a - b > margin) found.set(part, { low: Math.exp(a - b - margin), high: Math.exp(a - b + margin) })
  }
  return found
}
