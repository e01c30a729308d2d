/** The code that Node, PostgreSQL or undici gave an error, or an empty text. */
export const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** Codes and names of an error and of those that caused it. */
export const codesOf = (error: unknown): unknown[] =>
  error instanceof Error ? [codeOf(error), error.name, ...codesOf(error.cause)] : []
