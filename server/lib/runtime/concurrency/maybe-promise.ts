/** A value or a promise of one. On a cache hit we avoid the await, which costs more than the check itself. */
export type MaybePromise<T> = T | Promise<T>

/** Calls `next` with the value: at once when it is available, otherwise when the promise resolves. */
export const whenReady = <T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> =>
  value instanceof Promise ? value.then(next) : next(value)
