import { randomBytes } from 'node:crypto'
import {
  BufferTarget,
  EncodedPacket,
  EncodedVideoPacketSource,
  Mp4OutputFormat,
  Output,
  type OutputFormat,
} from 'mediabunny'
import sharp from 'sharp'
import type { ApiResponse, Client } from './client.ts'
import { expectStatus } from './factories.ts'

let shade = 0

/** A PNG that no other call returns. */
export const testImage = (width = 40, height = 30): Promise<Buffer> => {
  shade++
  // Colors of neighbors are far apart, so that their thumbnails differ too.
  const color = (shade * 40_503) % 65_536
  const background = { r: color % 256, g: color >> 8, b: 90 }
  return sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer()
}

/** A PNG of random pixels, which takes three bytes for each. */
export const noise = (width: number, height: number): Promise<Buffer> =>
  sharp(randomBytes(3 * width * height), { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 1 })
    .toBuffer()

let videos = 0

/** A video that no other call returns. No decoder could show its images. `size`: width and height in pixels. */
export async function videoFile(
  seconds = 1,
  [codedWidth, codedHeight] = [320, 180],
  format: OutputFormat = new Mp4OutputFormat(),
): Promise<Buffer> {
  const target = new BufferTarget()
  const output = new Output({ format, target })
  const source = new EncodedVideoPacketSource('vp9')
  output.addVideoTrack(source)
  await output.start()
  const decoderConfig = { codec: 'vp09.00.10.08', codedWidth, codedHeight }
  videos++
  for (let index = 0; index < 25 * seconds; index++)
    await source.add(new EncodedPacket(Buffer.alloc(500, videos), index ? 'delta' : 'key', index / 25, 0.04), {
      decoderConfig,
    })
  await output.finalize()
  return Buffer.from(target.buffer ?? new ArrayBuffer())
}

type Sent = { name?: string; type?: string; fields?: [string, string][]; path?: string }
/** `bytes`: a new image by default. */
type File = Sent & { bytes?: Uint8Array }

/** Uploads a file as a browser does. */
export async function upload(
  who: Client,
  bytes: Uint8Array,
  { name = 'simit.png', type, fields = [], path = '/api/v1/media' }: Sent = {},
) {
  const form = new FormData()
  for (const [field, value] of fields) form.append(field, value)
  form.append('file', new Blob([Buffer.from(bytes)], { type: type ?? 'image/png' }), name)
  // The boundary is in the content type that the request has.
  const request = new Request('http://meydan.test', { method: 'POST', body: form })
  const body = Buffer.from(await request.arrayBuffer())
  return who.send('POST', path, body, { 'content-type': request.headers.get('content-type') ?? '' })
}

/** The record of a new file. */
// biome-ignore lint/suspicious/noExplicitAny: tests read records of every shape
export const uploaded = async (who: Client, { bytes, ...sent }: File = {}): Promise<any> =>
  expectStatus(await upload(who, bytes ?? (await testImage()), sent), 201).body

/** Downloads the bytes of a response. */
export async function download(who: Client, path: string, headers: Record<string, string> = {}) {
  const response = await who.open('GET', path, { headers })
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  } satisfies Omit<ApiResponse, 'body'> & { bytes: Buffer }
}
