/*
 * Prepares and converts videos with the ffmpeg of this machine, and reads the results with its ffprobe. The tests do not
 * need it: they install a program in its place.
 *
 *   npm run ffmpeg
 *
 * Needs Debian's package: apt-get install --no-install-recommends ffmpeg
 */
import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { fitOf, makeFit } from '../server/modules/media/files/client/fitting.ts'
import { prepareFile } from '../server/modules/media/files/client/prepare.ts'
import type { MediaRules } from '../server/modules/media/media-rules.ts'

const requester = { workspace_id: 'workspace', lane: 'uploads' as const }
const SECONDS = 2
const MAX_BYTES = 400_000
/** Rules of a network that every video has to be converted for. */
const rules: MediaRules = {
  kinds: { video: { max: 1, mimes: ['video/mp4'], max_bytes: MAX_BYTES, max_width: 240, max_height: 240 } },
  ...{ max: 1, mixed: false, required: false, max_alt_length: null },
}
/** Mean difference of two frames at most, of 255. Frames that are turned or stretched differ by more than 40. */
const MOST_DIFFERENCE = 15

const images = (size = '640x360') => ['-f', 'lavfi', '-i', `testsrc=size=${size}:rate=25:duration=${SECONDS}`]
const sound = ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${SECONDS}`]
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac']
const hevc = ['-c:v', 'libx265', '-x265-params', 'log-level=none', '-tag:v', 'hvc1', '-c:a', 'aac']
const vp9 = ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-c:a', 'libopus']

/** `size`: as people see the video. `rotation`: by which players turn its frames, in degrees. */
type Video = { args: string[]; size: [number, number]; extension?: string; rotation?: number }

const size: [number, number] = [640, 360]
const videos: Record<string, Video> = {
  'H.264, index first': { args: [...images(), ...sound, ...h264, '-movflags', '+faststart'], size },
  'H.264, index last': { args: [...images(), ...sound, ...h264], size },
  'no sound': { args: [...images(), ...h264], size },
  'six channels': { args: [...images(), ...sound, ...h264, '-ac', '6'], size },
  'turned by 90°': { args: [...images(), ...h264], size: [360, 640], rotation: 90 },
  'turned by 270°, MOV': { args: [...images(), ...sound, ...h264], size: [360, 640], rotation: 270, extension: 'mov' },
  'upside down': { args: [...images(), ...h264], size, rotation: 180 },
  'odd sides': { args: [...images('641x361'), ...h264, '-pix_fmt', 'yuv444p'], size: [641, 361] },
  'pixels twice as wide': { args: [...images('320x360'), '-vf', 'setsar=2', ...h264], size },
  HEVC: { args: [...images(), ...sound, ...hevc], size },
  'HEVC, 10 bits, MOV': { args: [...images(), ...hevc, '-pix_fmt', 'yuv420p10le'], size, extension: 'mov' },
  'VP9, WebM': { args: [...images(), ...sound, ...vp9], size, extension: 'webm' },
}

function run(program: 'ffmpeg' | 'ffprobe', args: string[]): Buffer {
  const { status, stdout, stderr, error } = spawnSync(program, ['-hide_banner', '-loglevel', 'error', ...args])
  if (error) throw new Error('Install it first: apt-get install --no-install-recommends ffmpeg', { cause: error })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`)
  return stdout
}

function make(folder: string, index: number, { args, extension = 'mp4', rotation }: Video) {
  const path = join(folder, `${index}.${extension}`)
  run('ffmpeg', ['-y', ...args, path])
  if (rotation === undefined) return path
  const turned = join(folder, `${index}-turned.${extension}`)
  run('ffmpeg', ['-y', '-i', path, '-c', 'copy', '-metadata:s:v:0', `rotate=${rotation}`, turned])
  return turned
}

type Stream = {
  codec_type: string
  codec_name: string
  pix_fmt?: string
  width?: number
  height?: number
  channels?: number
  sample_aspect_ratio?: string
  side_data_list?: unknown[]
}

function probe(path: string): { streams: Stream[]; format: { duration: string } } {
  return JSON.parse(run('ffprobe', ['-show_streams', '-show_format', '-of', 'json', path]).toString())
}

/** A frame in the middle, as a player shows it, in 64 × 64 gray pixels. */
const frameOf = (path: string) =>
  run('ffmpeg', [
    '-ss',
    '1',
    '-i',
    path,
    '-frames:v',
    '1',
    '-vf',
    'scale=64:64',
    '-pix_fmt',
    'gray',
    '-f',
    'rawvideo',
    '-',
  ])

function differenceOf(one: Buffer, other: Buffer) {
  let sum = 0
  for (const [index, value] of one.entries()) sum += Math.abs(value - (other[index] ?? 0))
  return sum / one.length
}

/** Sentences about all that is wrong with the copy of a video. */
async function findProblems(path: string, { size: [width, height] }: Video) {
  const problems: string[] = []
  const expectThat = (isRight: boolean, problem: string) => {
    if (!isRight) problems.push(problem)
  }
  const before = probe(path)
  const original = frameOf(path)
  const { facts, thumbnail } = await prepareFile(requester, path)
  expectThat(facts.width === width && facts.height === height, `measured as ${facts.width} × ${facts.height}`)
  expectThat(Math.abs((facts.duration_s ?? 0) - SECONDS) < 0.1, `measured as ${facts.duration_s} s`)
  if (thumbnail) {
    const shown = await sharp(thumbnail).metadata()
    expectThat(shown.width > shown.height === width > height, `thumbnail of ${shown.width} × ${shown.height}`)
  } else problems.push('no thumbnail')
  const fit = fitOf(facts, rules)
  if (fit.how !== 'converted') return [...problems, `not converted: ${JSON.stringify(fit)}`]
  const made = await makeFit(requester, path, fit)
  const { streams, format } = probe(made.path)
  const video = streams.find(({ codec_type }) => codec_type === 'video')
  const audio = streams.find(({ codec_type }) => codec_type === 'audio')
  expectThat(video?.codec_name === 'h264' && video.pix_fmt === 'yuv420p', `${video?.codec_name} in ${video?.pix_fmt}`)
  expectThat(video?.width === made.width && video.height === made.height, `${video?.width} × ${video?.height}`)
  expectThat(Math.abs(made.width / made.height - width / height) < 0.03, `stretched: ${made.width} × ${made.height}`)
  expectThat(video?.sample_aspect_ratio === '1:1', `pixels of ${video?.sample_aspect_ratio}`)
  expectThat(!video?.side_data_list, 'still turned by players')
  const hadSound = before.streams.some(({ codec_type }) => codec_type === 'audio')
  expectThat(hadSound === (audio !== undefined), hadSound ? 'without its sound' : 'with a sound')
  if (audio) expectThat(audio.codec_name === 'aac' && (audio.channels ?? 0) <= 2, `sound in ${audio.codec_name}`)
  expectThat(Math.abs(Number(format.duration) - SECONDS) < 0.1, `${format.duration} s long`)
  expectThat(made.bytes <= MAX_BYTES, `${made.bytes} bytes`)
  const bytes = await readFile(made.path)
  expectThat(bytes.indexOf('moov') < bytes.indexOf('mdat'), 'index at the end')
  const difference = differenceOf(original, frameOf(made.path))
  expectThat(difference < MOST_DIFFERENCE, `its frames differ by ${difference.toFixed(0)}`)
  return problems
}

const folder = await mkdtemp(join(tmpdir(), 'meydan-ffmpeg-'))
try {
  process.stdout.write(`${run('ffmpeg', ['-version']).toString().split('\n', 1)[0]}\n`)
  for (const [index, [name, video]] of Object.entries(videos).entries()) {
    const problems = await findProblems(make(folder, index, video), video)
    if (problems.length > 0) process.exitCode = 1
    process.stdout.write(`${name.padEnd(24)} ${problems.join('; ') || 'right'}\n`)
  }
} finally {
  await rm(folder, { recursive: true })
}
