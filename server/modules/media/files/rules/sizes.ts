import type { FileRules } from '../../media-rules.ts'

export type Size = { width: number; height: number }

/** Sides are whole pixels, so a smaller image has slightly other proportions. More than this could be seen. */
const MAX_DISTORTION = 0.01
/** Share of the largest size down to which a size is looked for whose whole pixels keep the rules. */
const SEARCHED = 0.8

const within = (value: number, min = 0, max = Number.POSITIVE_INFINITY) => value >= min && value <= max

export const hasAllowedAspect = ({ width, height }: Size, { min_aspect, max_aspect }: FileRules) =>
  within(width / height, min_aspect, max_aspect)

const hasAllowedSides = ({ width, height }: Size, rules: FileRules) =>
  within(width, 1, rules.max_width) &&
  within(height, 1, rules.max_height) &&
  within(width * height, 1, rules.max_pixels) &&
  within(width + height, 1, rules.max_width_plus_height)

export const isAllowed = (size: Size, rules: FileRules) => hasAllowedSides(size, rules) && hasAllowedAspect(size, rules)

/** Factor by which both sides must at least become smaller. */
function scaleWithin({ width, height }: Size, rules: FileRules, maxPixels: number) {
  const none = Number.POSITIVE_INFINITY
  return Math.min(
    1,
    (rules.max_width ?? none) / width,
    (rules.max_height ?? none) / height,
    (rules.max_width_plus_height ?? none) / (width + height),
    Math.sqrt(Math.min(rules.max_pixels ?? none, maxPixels) / (width * height)),
  )
}

/**
 * The largest size with the same proportions that keeps the rules and has at most `maxPixels`. Undefined if there is
 * none, because the proportions are not allowed or a side would have less than a pixel.
 */
export function sizeWithin(size: Size, rules: FileRules, maxPixels = Number.POSITIVE_INFINITY): Size | undefined {
  const aspect = size.width / size.height
  const isWide = aspect >= 1
  const longest = Math.max(size.width, size.height) * scaleWithin(size, rules, maxPixels)
  // The sum compensates for rounding in the division: 4000 × (2000 / 4000) must be 2000.
  for (let long = Math.floor(longest + 1e-6); long >= Math.max(1, longest * SEARCHED); long--) {
    const short = Math.max(1, Math.round(isWide ? long / aspect : long * aspect))
    const candidate = isWide ? { width: long, height: short } : { width: short, height: long }
    const distortion = Math.abs(candidate.width / candidate.height / aspect - 1)
    const isSame = candidate.width === size.width && candidate.height === size.height
    if (
      (isSame || distortion <= MAX_DISTORTION) &&
      candidate.width * candidate.height <= maxPixels &&
      isAllowed(candidate, rules)
    )
      return candidate
  }
  return undefined
}

/** Bytes of a pixel of noise, the worst that can be encoded, at the lowest quality that is used. */
const WORST_BYTES_PER_PIXEL: Record<string, number> = {
  'image/jpeg': 0.9,
  'image/webp': 1,
  'image/avif': 1.4,
  'image/png': 4.05,
}
/** Bytes of a file besides its pixels. */
const FILE_BYTES = 24_000
const BLOCK = 16

/** Formats that images can be converted to. */
export const encodable = Object.keys(WORST_BYTES_PER_PIXEL)

/** Longest side that a format can store, in pixels. */
const MAX_SIDE: Record<string, number> = { 'image/jpeg': 65_500, 'image/webp': 16_383, 'image/gif': 65_535 }

/** The rules for a copy in a format, which also has to store its sides. */
export function rulesForFormat(rules: FileRules, mime: string): FileRules {
  const side = MAX_SIDE[mime]
  if (side === undefined) return rules
  const atMost = (max = side) => Math.min(max, side)
  return { ...rules, max_width: atMost(rules.max_width), max_height: atMost(rules.max_height) }
}

const wholeBlocks = (side: number) => Math.ceil(side / BLOCK) * BLOCK

/** The largest size at which any image has at most `rules.max_bytes`, whatever it shows. */
export function sizeForBytes(size: Size, rules: FileRules, mime: string): Size | undefined {
  const perPixel = WORST_BYTES_PER_PIXEL[mime] ?? 4.05
  const allowed = (rules.max_bytes - FILE_BYTES) / perPixel
  const fits = ({ width, height }: Size) => wholeBlocks(width) * wholeBlocks(height) <= allowed
  for (let pixels = allowed; pixels >= 1; pixels *= 0.9) {
    const candidate = sizeWithin(size, rules, pixels)
    if (candidate && fits(candidate)) return candidate
  }
  return undefined
}
