import { vi } from 'vitest'

/** Waits until `check` no longer throws. Long, because what is waited for shares its machine with the rest of the suite. */
export const until = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 15_000, interval: 20 })
