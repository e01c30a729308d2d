import { problem } from '../../../../errors.ts'
import type { Language } from '../../../../lib/language.ts'
import { limits } from './upload-limits.ts'

const MB = 1_000_000

/** A number of bytes as people read it. `round`: up for a file, down for a limit, so that a file above it looks so. */
export const inMegabytes = (bytes: number, round: (value: number) => number = Math.ceil, language: Language = 'en') =>
  bytes < MB
    ? `${(round(bytes / 10) / 100).toLocaleString(language)} kB`
    : `${(round(bytes / 10_000) / 100).toLocaleString(language)} MB`

/** 422. `reason`: a sentence. */
export const damaged = (reason: string, cause?: unknown) => problem('file_damaged', { detail: reason, cause })

/** 413. `reason`: a sentence with the size and the limit. */
export const tooLarge = (reason: string) => problem('file_too_large', { detail: reason })

/** 415. `reason`: a sentence. */
export const refused = (reason: string) => problem('file_type_refused', { detail: reason })

/** A profile stays in the image, and each viewer reads it. */
export const profileTooLarge = () =>
  tooLarge(`The color profile of an image can have ${inMegabytes(limits.profileBytes)}.`)
