const MB = 1_000_000

/** Limits of uploads. Those of a network come in addition. */
export const limits = {
  bytes: { image: 30 * MB, gif: 30 * MB, video: 2000 * MB, document: 100 * MB },
  pixels: 100_000_000,
  profileBytes: 4 * MB,
  frames: 5000,
  /** Frames times width times height: each frame is decoded when an image is made smaller. */
  animatedPixels: 1_000_000_000,
} as const
