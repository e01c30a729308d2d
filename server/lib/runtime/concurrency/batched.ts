import type { Logger } from 'pino'
import { isUnreachable } from '../../db/database.ts'

type Logs = { log: Pick<Logger, 'warn'> }

type Options<Context, Item, Result> = {
  /** Items of one batch at most. */
  max: number
  /** Two items with one key are never in the same batch: the later one waits for the next. */
  keyOf: (item: Item) => string
  /** Does the work of a batch. Returns the results by key, without those of items that it leaves out. */
  together: (context: Context, items: Item[]) => Promise<Map<string, Result>>
  /** Does the work of one item that was left out, or whose batch failed. */
  alone: (context: Context, item: Item) => Promise<Result>
}

type Waiting<Item, Result> = {
  item: Item
  resolve: (done: { result: Result } | undefined) => void
  reject: (error: unknown) => void
}

/**
 * Returns a function that does the work of one item, together with those that other callers ask for at the same time: what
 * comes in during one batch is the next one. A batch should wait for no lock, because it would delay all of its items; it
 * leaves out what is locked. Each context has batches of its own.
 *
 * If the connection was lost, the batch may still commit, later than what is done alone after it. Each item then fails, as
 * it would have alone.
 */
export function batched<Context extends Logs, Item, Result>(options: Options<Context, Item, Result>) {
  const queues = new WeakMap<Context, ReturnType<typeof createQueue<Context, Item, Result>>>()
  return async (context: Context, item: Item): Promise<Result> => {
    let queue = queues.get(context)
    if (!queue) {
      queue = createQueue(context, options)
      queues.set(context, queue)
    }
    const done = await queue(item)
    return done ? done.result : options.alone(context, item)
  }
}

function createQueue<Context extends Logs, Item, Result>(
  context: Context,
  { max, keyOf, together }: Options<Context, Item, Result>,
) {
  let waiting: Waiting<Item, Result>[] = []
  let isRunning = false

  const takeBatch = () => {
    const batch = new Map<string, Waiting<Item, Result>>()
    const later: Waiting<Item, Result>[] = []
    for (const each of waiting) {
      const key = keyOf(each.item)
      if (batch.size < max && !batch.has(key)) batch.set(key, each)
      else later.push(each)
    }
    waiting = later
    return batch
  }

  async function runBatch(batch: Map<string, Waiting<Item, Result>>) {
    const items = [...batch.values()].map(({ item }) => item)
    try {
      return await together(context, items)
    } catch (err) {
      if (isUnreachable(err)) throw err
      context.log.warn({ err, items: items.length }, 'a batch failed and is divided')
      return new Map<string, Result>()
    }
  }

  async function run() {
    // Items of the same turn of the event loop are one batch.
    await new Promise<void>((resolve) => setImmediate(resolve))
    while (waiting.length > 0) {
      const batch = takeBatch()
      try {
        const results = await runBatch(batch)
        for (const [key, { resolve }] of batch) {
          const result = results.get(key)
          resolve(result === undefined ? undefined : { result })
        }
      } catch (error) {
        for (const { reject } of batch.values()) reject(error)
      }
    }
    isRunning = false
  }

  return (item: Item) =>
    new Promise<{ result: Result } | undefined>((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (isRunning) return
      isRunning = true
      void run()
    })
}
