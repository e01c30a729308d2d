import type { FileRules, MediaFacts } from '../../media-rules.ts'
import type { Size } from './sizes.ts'

/*
 * Messages between this process and those that read files of strangers.
 */

/** `extension`: without a dot, by the bytes. */
export type Inspected = MediaFacts & { extension: string }

/** `path`: another one beside the given, if the file had to change. `placeholder`: a data URI, at most 300 characters. */
export type Prepared = { path: string; facts: Inspected; thumbnail: Buffer; placeholder: string }

/** A part of an image in its pixels, after it was turned clockwise by `rotate` degrees, a multiple of 90. */
export type Crop = Size & { rotate: number; x: number; y: number }

/** A text in large letters on a plain background. Colours are written `#rrggbb`; `foreground`: that of the letters. */
export type Card = { text: string; background: string; foreground: string }

/** The copy to make of a file. `width` and `height`: at most; it gets fewer pixels where its bytes need it. */
export type Conversion = {
  how: 'converted'
  mime: string
  width: number
  height: number
  facts: MediaFacts
  rules: FileRules
}

export type Made = { path: string; mime: string; bytes: number; width: number; height: number }
