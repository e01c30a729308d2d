/** Processes `items` a few at a time, which leaves connections and the machine for other work. */
export async function each<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let from = 0; from < items.length; from += 12)
    results.push(...(await Promise.all(items.slice(from, from + 12).map(work))))
  return results
}
