/** What may be there already. To wait for a promise of it would cost a call more than all that is checked of it. */
export type Soon<T> = T | Promise<T>

/** What follows from a value: at once when it is there, else when it comes. */
export const soon = <T, R>(value: Soon<T>, next: (value: T) => Soon<R>): Soon<R> =>
  value instanceof Promise ? value.then(next) : next(value)
