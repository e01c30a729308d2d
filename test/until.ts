import { vi } from 'vitest'

/** Waits until `check` no longer throws. The timeout is long, because the suite shares its machine. */
export const until = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 30_000, interval: 20 })
