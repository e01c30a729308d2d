import { isOfTheData } from '../../lib/database.ts'

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
      await writeApart(batch)
      settled(batch)
    }
    isWriting = false
  }
  /** One that PostgreSQL cannot take is found by halves, so that it takes no other with it. */
  async function writeApart(batch: Item[]): Promise<void> {
    try {
      await write(batch)
    } catch (error) {
      if (batch.length === 1 || !isOfTheData(error)) return failed(error)
      const half = batch.length >> 1
      await writeApart(batch.slice(0, half))
      await writeApart(batch.slice(half))
    }
  }
  return (item: Item) => {
    waiting.push(item)
    if (isWriting) return
    isWriting = true
    void run()
  }
}
