/** The code that Node, PostgreSQL or undici gave an error, or an empty text. */
export const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
