import { vi } from 'vitest'
import { scaled } from './run/machine.ts'

/** Waits until `check` no longer throws. */
export const until = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: scaled(20_000), interval: 20 })
