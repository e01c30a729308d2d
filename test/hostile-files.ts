import { crc32, deflateSync, gzipSync } from 'node:zlib'

/*
 * Files that attack what reads them, made by code. Each is described by what it pretends.
 */

const uint32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const uint16 = (value: number) => {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}
const latin1 = (text: string) => Buffer.from(text, 'latin1')

export const pngSignature = latin1('\x89PNG\r\n\x1a\n')

export function pngChunk(type: string, content: Buffer = Buffer.alloc(0)) {
  const named = Buffer.concat([latin1(type), content])
  return Buffer.concat([uint32(content.length), named, uint32(crc32(named))])
}

const pngHeader = (width: number, height: number) =>
  pngChunk('IHDR', Buffer.concat([uint32(width), uint32(height), Buffer.from([8, 6, 0, 0, 0])]))

/** A PNG in one colour: a few kilobytes for any number of pixels. `extra`: chunks before the pixels. */
export function png(width: number, height: number, extra: Buffer[] = []) {
  const row = Buffer.alloc(1 + width * 4, 0)
  const pixels = deflateSync(Buffer.alloc(row.length * height), { level: 1 })
  return Buffer.concat([pngSignature, pngHeader(width, height), ...extra, pngChunk('IDAT', pixels), pngChunk('IEND')])
}

/** A PNG whose header names a size that its pixels do not have. */
export const pngOfSize = (width: number, height: number) =>
  Buffer.concat([
    pngSignature,
    pngHeader(width, height),
    pngChunk('IDAT', deflateSync(Buffer.alloc(100))),
    pngChunk('IEND'),
  ])

/** An animated PNG of 1 × 1 pixels. */
export function apng(frames: number) {
  const control = (sequence: number) =>
    pngChunk(
      'fcTL',
      Buffer.concat([
        uint32(sequence),
        uint32(1),
        uint32(1),
        uint32(0),
        uint32(0),
        uint16(1),
        uint16(10),
        Buffer.alloc(2),
      ]),
    )
  const pixels = deflateSync(Buffer.alloc(5))
  const parts = [pngSignature, pngHeader(1, 1), pngChunk('acTL', Buffer.concat([uint32(frames), uint32(0)]))]
  parts.push(control(0), pngChunk('IDAT', pixels))
  for (let frame = 1; frame < frames; frame++)
    parts.push(control(2 * frame - 1), pngChunk('fdAT', Buffer.concat([uint32(2 * frame), pixels])))
  return Buffer.concat([...parts, pngChunk('IEND')])
}

/** A GIF of 1 × 1 pixels, 19 bytes a frame. */
export function gif(frames: number, { width = 1, height = 1 } = {}) {
  const size = Buffer.alloc(4)
  size.writeUInt16LE(width, 0)
  size.writeUInt16LE(height, 2)
  const start = Buffer.concat([latin1('GIF89a'), size, Buffer.from([0x80, 0, 0, 0, 0, 0, 255, 255, 255])])
  const frame = Buffer.from([0x21, 0xf9, 4, 0, 5, 0, 0, 0, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0])
  return Buffer.concat([start, ...Array.from({ length: frames }, () => frame), latin1(';')])
}

export const jpegSegment = (marker: number, content: Buffer) =>
  Buffer.concat([Buffer.from([0xff, marker]), uint16(content.length + 2), content])

/** Puts segments behind the beginning of a JPEG. */
export const withSegments = (jpeg: Buffer, segments: Buffer[]) =>
  Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)])

/** Writes another size into the header of a JPEG. */
export function jpegOfSize(jpeg: Buffer, width: number, height: number) {
  const copy = Buffer.from(jpeg)
  const frame = copy.findIndex(
    (byte, at) => byte === 0xff && /^\xff[\xc0-\xc2]/.test(copy.toString('latin1', at, at + 2)),
  )
  copy.writeUInt16BE(height, frame + 5)
  copy.writeUInt16BE(width, frame + 7)
  return copy
}

export const box = (type: string, ...content: Buffer[]) => {
  const length = content.reduce((sum, part) => sum + part.length, 8)
  return Buffer.concat([uint32(length), latin1(type), ...content])
}

export const videoType = box('ftyp', latin1('isom\0\0\0\0isommp42'))

/** Boxes inside each other, as deep as `depth`. */
export function nested(type: string, depth: number) {
  const headers = Array.from({ length: depth }, (_, index) =>
    Buffer.concat([uint32(8 * (depth - index)), latin1(type)]),
  )
  return Buffer.concat(headers)
}

/** The end of a ZIP archive without files. With it, any file in front is an archive too. */
const zip = Buffer.concat([latin1('PK\x05\x06'), Buffer.alloc(18)])

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')

/** SVG under every disguise. */
export const svgs: Record<string, Buffer> = {
  plain: latin1(svg),
  'with a byte order mark': Buffer.from(`\ufeff${svg}`),
  'with an XML declaration': latin1(`<?xml version="1.0"?>\n${svg}`),
  'with a document type': latin1(`<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x.dtd">\n${svg}`),
  'behind a comment': latin1(`<!-- GIF89a -->\n${svg}`),
  'behind a long comment': latin1(`<!-- ${'x'.repeat(5000)} -->\n${svg}`),
  'behind white space': latin1(`${' \n'.repeat(3000)}${svg}`),
  'with a name space prefix': latin1(
    '<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:script>alert(1)</s:script></s:svg>',
  ),
  compressed: gzipSync(svg),
  'in UTF-16': utf16(svg),
  'in UTF-16 with the other byte order': utf16(svg).swap16(),
}

/** Files that are two things at once. `jpeg`, `video`: real ones. */
export const polyglots = (jpeg: Buffer, video: Buffer): Record<string, Buffer> => ({
  'a GIF that is a script': Buffer.concat([gif(1, { width: 0x2a2f }).subarray(0, -1), latin1(';*/=1;alert(1)//')]),
  'a GIF with a script behind it': Buffer.concat([gif(1), latin1('*/=1;alert(1)//')]),
  'a PDF that is a page': latin1('%PDF-1.7\n<html><script>alert(1)</script></html>\n%%EOF\n'),
  'a page that is a PDF': latin1('<html><script>alert(1)</script></html>\n%PDF-1.7\n%%EOF\n'),
  'a JPEG that is an archive': Buffer.concat([jpeg, zip]),
  'a JPEG with a page behind it': Buffer.concat([jpeg, latin1('<html><script>alert(1)</script></html>')]),
  'a JPEG with a PDF behind it': Buffer.concat([jpeg, latin1('%PDF-1.7\n%%EOF\n')]),
  'a page in front of a video': Buffer.concat([latin1('<html><script>alert(1)</script></html>'), video]),
  'a page in the first box of a video': Buffer.concat([box('free', latin1('<script>alert(1)</script>')), video]),
  'a page in the length of the first box': Buffer.concat([latin1('<!--ftypisom--><script>alert(1)</script>'), video]),
})

/** A WebM of 548 bytes whose index never ends: its segment has no length, and nothing in it has an id. */
export const endlessWebm = Buffer.concat([
  Buffer.from('1a45dfa39f', 'hex'),
  Buffer.from('4286810142f7810142f2810442f38108428284', 'hex'),
  latin1('webm'),
  Buffer.from('4287810442858102', 'hex'),
  Buffer.from('1853806701ffffffffffffff', 'hex'),
  Buffer.alloc(500, 0xff),
])
