import { isDataError } from '../../db/database.ts'

/**
 * Writes items in batches. Items that come in while one batch is written go into the next. `failed` is called with the
 * items that could not be written, and `settled` with each batch after it was written or failed.
 */
export function createBatchWriter<Item>(options: {
  max: number
  write: (batch: Item[]) => Promise<void>
  settled: (batch: Item[]) => void
  failed: (error: unknown, items: Item[]) => void
}) {
  const { max, write, settled, failed } = options
  let waiting: Item[] = []
  let isWriting = false
  async function run() {
    // Items of the same turn of the event loop are one batch.
    await new Promise<void>((resolve) => setImmediate(resolve))
    while (waiting.length > 0) {
      const batch = waiting.length <= max ? waiting : waiting.slice(0, max)
      waiting = waiting.length <= max ? [] : waiting.slice(max)
      await writeByHalves(batch)
      settled(batch)
    }
    isWriting = false
  }
  /** Writes a batch by halves if PostgreSQL rejects a value, so that only the item with that value fails. */
  async function writeByHalves(batch: Item[]): Promise<void> {
    try {
      await write(batch)
    } catch (error) {
      if (batch.length === 1 || !isDataError(error)) return failed(error, batch)
      const half = batch.length >> 1
      await writeByHalves(batch.slice(0, half))
      await writeByHalves(batch.slice(half))
    }
  }
  return (item: Item) => {
    waiting.push(item)
    if (isWriting) return
    isWriting = true
    void run()
  }
}
