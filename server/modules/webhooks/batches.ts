/**
 * Writes many at a time: what comes while one batch is written goes into the next. `settled` is called with each batch
 * when it was written or failed.
 */
export function batches<Item>(options: {
  most: number
  write: (batch: Item[]) => Promise<void>
  settled: (batch: Item[]) => void
  failed: (error: unknown) => void
}) {
  const { most, write, settled, failed } = options
  let waiting: Item[] = []
  let isWriting = false
  async function run() {
    // What ends in the same turn is one batch.
    await new Promise<void>((resolve) => setImmediate(resolve))
    while (waiting.length > 0) {
      const batch = waiting.length <= most ? waiting : waiting.slice(0, most)
      waiting = waiting.length <= most ? [] : waiting.slice(most)
      try {
        await write(batch)
      } catch (error) {
        failed(error)
      }
      settled(batch)
    }
    isWriting = false
  }
  return (item: Item) => {
    waiting.push(item)
    if (isWriting) return
    isWriting = true
    void run()
  }
}
