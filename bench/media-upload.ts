import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { EncodedPacket, EncodedVideoPacketSource, FilePathTarget, Mp4OutputFormat, Output } from 'mediabunny'
import { atLeast, atMost, type Bench, type Claim, compareWithBaseline, compareWithLimit } from './harness.ts'
import { createOwner, serverSettings, signIn, startMeydan, withDeps } from './meydan.ts'
import { startPostgres, startServer, temporaryFolder } from './processes.ts'

const MAX_GROWTH_MB = 64
const FRAME = 1_000_000
/** Bytes sent at a time. */
const PIECE = 64 * 1024
const BOUNDARY = 'media-upload'
const HEAD = Buffer.from(
  `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="video.mp4"\r\ncontent-type: video/mp4\r\n\r\n`,
)
const TAIL = Buffer.from(`\r\n--${BOUNDARY}--\r\n`)

/** A video whose frames no decoder could show. Only its structure is looked at. */
async function writeVideo(path: string, frames: number) {
  const output = new Output({ format: new Mp4OutputFormat(), target: new FilePathTarget(path) })
  const source = new EncodedVideoPacketSource('vp9')
  output.addVideoTrack(source)
  await output.start()
  const decoderConfig = { codec: 'vp09.00.10.08', codedWidth: 640, codedHeight: 360 }
  for (let frame = 0; frame < frames; frame++)
    await source.add(new EncodedPacket(randomBytes(FRAME), frame === 0 ? 'key' : 'delta', frame / 25, 1 / 25), {
      decoderConfig,
    })
  await output.finalize()
  return readFile(path)
}

/** Sends a form with the video in pieces. Returns bytes a second. */
async function send(url: string, video: Buffer, headers: Record<string, string>) {
  // Other bytes each time, because a workspace keeps every file once.
  randomBytes(16).copy(video, video.length >> 1)
  const length = HEAD.length + video.length + TAIL.length
  const begun = performance.now()
  const call = request(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, 'content-length': length },
  })
  const responded = once(call, 'response')
  await pipeline(function* () {
    yield HEAD
    for (let at = 0; at < video.length; at += PIECE) yield video.subarray(at, at + PIECE)
    yield TAIL
  }, call)
  const [response] = await responded
  const text = (await response.toArray()).join('')
  if (response.statusCode !== 201) throw new Error(`${response.statusCode} ${text}`)
  return video.length / ((performance.now() - begun) / 1000)
}

/** Resident memory of a process, in MB. */
const memoryOf = async (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

/** Compares uploads of a large video with a server that writes the same stream to a file, flushed to disk by both. */
export const claim: Claim = {
  name: 'media-upload',
  target: atLeast(0.6),
  measure: async (bench: Bench) => {
    const folder = await temporaryFolder()
    const video = await writeVideo(join(folder, 'video.mp4'), bench.quick ? 40 : 200)
    const connection = await startPostgres()
    await withDeps(connection, createOwner, { DATA_DIR: folder })
    const { url, pid, stop } = await startMeydan({ ...serverSettings(connection), DATA_DIR: folder })
    const bare = await startServer('baselines/media-upload.ts', { FOLDER: folder })
    try {
      const headers = { cookie: await signIn(url) }
      const upload = () => send(`${url}/api/v1/media`, video, headers)
      await upload()
      const before = await memoryOf(pid)
      let most = before
      const timer = setInterval(async () => {
        most = Math.max(most, await memoryOf(pid))
      }, 50)
      const speed = await compareWithBaseline(bench, {
        ...{ unit: 'bytes/s', rounds: 7, seconds: 1 },
        value: upload,
        baseline: () => send(bare.url, video, {}),
      })
      clearInterval(timer)
      const growth = compareWithLimit([most - before], MAX_GROWTH_MB, 'MB')
      return [speed, { ...growth, part: 'memory', target: atMost(1, `≤ ${MAX_GROWTH_MB} MB`) }]
    } finally {
      await Promise.all([bare.stop(), stop()])
    }
  },
}
