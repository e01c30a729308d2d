/**
 * Runs `work`, and settles at a multiple of `step_ms` after the start, so that the caller sees little of how long it
 * took.
 */
export async function inFixedSteps<T>(step_ms: number, work: () => Promise<T>): Promise<T> {
  const start = performance.now()
  try {
    return await work()
  } finally {
    const rest = step_ms - ((performance.now() - start) % step_ms)
    await new Promise((resolve) => setTimeout(resolve, rest))
  }
}
