import { problem } from '../../../errors.ts'

const MB = 1_000_000

/** A number of bytes as people read it. `round`: up for a file, down for a limit, so that a file above it looks so. */
export const inMegabytes = (bytes: number, round: (value: number) => number = Math.ceil) =>
  bytes < MB
    ? `${(round(bytes / 10) / 100).toLocaleString('en')} kB`
    : `${(round(bytes / 10_000) / 100).toLocaleString('en')} MB`

/** Limits of what is uploaded, whatever a network takes. */
export const limits = {
  bytes: { image: 30 * MB, gif: 30 * MB, video: 2000 * MB, document: 100 * MB },
  pixels: 100_000_000,
  profileBytes: 4 * MB,
  frames: 5000,
  /** Frames times width times height: each frame is decoded when a picture is made smaller. */
  animatedPixels: 1_000_000_000,
} as const

/** 422. `reason`: a sentence. */
export const damaged = (reason: string, cause?: unknown) => problem('file_damaged', { detail: reason, cause })

/** 413. `reason`: a sentence with the size and the limit. */
export const tooLarge = (reason: string) => problem('file_too_large', { detail: reason })

/** 415. `reason`: a sentence. */
export const refused = (reason: string) => problem('file_type_refused', { detail: reason })

/** A profile stays in the picture, and each viewer reads it. */
export const profileTooLarge = () =>
  tooLarge(`The colour profile of a picture can have ${inMegabytes(limits.profileBytes)}.`)
