import { spawn } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { MINUTE } from '../../../../../shared/time.ts'
import { searchPath } from '../../../../config/config.ts'
import { Problem } from '../../../../errors.ts'
import { limitFairly } from '../../../../lib/runtime/concurrency/fair-limit.ts'
import type { Conversion, Inspected, Made } from '../rules/protocol.ts'
import { inDecoderProcess, inTurn, type Requester } from './decoder-process.ts'

/** Time to convert a video, and for each of its seconds. */
const TRANSCODE_MS = { base: 2 * MINUTE, perSecond: 2000 }
const POSTER_MS = 10_000
const POSTER_PIXELS = 1280
const MAX_ERROR_CHARACTERS = 2000
/** Bits in a second: of the sound, and of the images at most. */
const SOUND_BITRATE = 128_000
const MAX_BITRATE = 12_000_000
/** Shares of the bytes that are aimed at, one after the other: an encoder keeps its bitrate only about. */
const AIMS = [0.92, 0.75, 0.5]

const isProgram = (file: string) => {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The program that makes videos fit, if it is installed. */
export const ffmpegPath = (): string | undefined =>
  searchPath()
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, 'ffmpeg'))
    .find(isProgram)

/** Runs ffmpeg without a shell. Rejects when it fails or takes longer than `ms`. */
function runFfmpeg(program: string, args: string[], ms: number): Promise<void> {
  const child = spawn(program, ['-nostdin', '-hide_banner', '-loglevel', 'error', '-y', ...args], {
    env: {},
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: ms,
    killSignal: 'SIGKILL',
  })
  let said = ''
  child.stderr.on('data', (text: Buffer) => {
    if (said.length < MAX_ERROR_CHARACTERS) said += text.toString('utf8')
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      if (code === 0) resolve()
      else reject(new Error(`ffmpeg ended with ${signal ?? code}: ${said.slice(0, MAX_ERROR_CHARACTERS)}`))
    })
  })
}

/** The file by a fixed format: ffmpeg also knows playlists, which make it read other files and addresses. */
const inputOf = (path: string, mime: string) => [
  ...['-protocol_whitelist', 'file', '-f', mime === 'video/webm' ? 'matroska' : 'mov'],
  ...['-i', `file:${path}`],
]

function encodingOf({ width, height, facts, rules }: Conversion, aim: number) {
  const seconds = facts.duration_s ?? 1
  const sound = Math.min(SOUND_BITRATE, Math.floor((rules.max_bytes * 8 * aim) / seconds / 4))
  const images = Math.min(MAX_BITRATE, Math.floor((rules.max_bytes * 8 * aim) / seconds - sound))
  return [
    ...['-map', '0:v:0', '-map', '0:a:0?', '-map_metadata', '-1', '-t', String(seconds)],
    ...['-vf', `scale=${width}:${height},setsar=1`, '-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p'],
    ...['-crf', '21', '-maxrate', String(images), '-bufsize', String(images)],
    ...['-c:a', 'aac', '-b:a', String(sound), '-ac', '2', '-movflags', '+faststart', '-f', 'mp4'],
  ]
}

/** A video of minutes keeps all cores busy, so videos wait for each other. Workspaces take turns. */
const oneAtATime = limitFairly(1)

/** Writes the video as MP4 (H.264, AAC) beside `path`, in at most `rules.max_bytes`. */
export const transcode = ({ workspace_id }: Requester, path: string, conversion: Conversion): Promise<Made> =>
  oneAtATime(workspace_id, async () => {
    const program = ffmpegPath()
    if (!program) throw new Error('ffmpeg was on the PATH when the video was checked, and no longer is')
    const { facts, rules, width, height } = conversion
    const target = `${path}.fit.mp4`
    const ms = TRANSCODE_MS.base + TRANSCODE_MS.perSecond * (facts.duration_s ?? 0)
    for (const aim of AIMS) {
      const args = [...inputOf(path, facts.mime), ...encodingOf(conversion, aim), `file:${target}`]
      await runFfmpeg(program, args, ms)
      const { size: bytes } = await stat(target)
      if (bytes <= rules.max_bytes) return { path: target, mime: 'video/mp4', bytes, width, height }
    }
    throw new Error(`ffmpeg could not reach ${rules.max_bytes} bytes`)
  })

/**
 * Writes a frame from the first second, in which few videos are still black, or else the first frame: ffmpeg writes none
 * where the video has none, and calls it a success. Undefined without ffmpeg, and for a video that it cannot decode.
 */
async function posterOf(path: string, { mime, duration_s }: Inspected): Promise<string | undefined> {
  const program = ffmpegPath()
  if (!program) return undefined
  const target = `${path}.poster.png`
  // The first scale makes the pixels square, as players show them.
  const filter = `scale=iw*sar:ih,setsar=1,scale='min(${POSTER_PIXELS},iw)':-2`
  const frame = ['-frames:v', '1', '-vf', filter, '-f', 'image2', '-c:v', 'png', `file:${target}`]
  try {
    for (const position of [Math.min(1, (duration_s ?? 0) / 2), 0]) {
      await runFfmpeg(program, ['-ss', String(position), ...inputOf(path, mime), ...frame], POSTER_MS)
      if (existsSync(target)) return target
    }
  } catch {
    // A video is accepted without a poster.
  }
  return undefined
}

/** Makes thumbnail and placeholder of a video. Both are null without a poster that can be decoded. */
async function thumbnailOf(requester: Requester, path: string, facts: Inspected) {
  const none = { thumbnail: null, placeholder: null }
  const poster = await inTurn(requester, 0, () => posterOf(path, facts))
  if (!poster) return none
  try {
    return await inDecoderProcess(requester, 0, 'thumbnailOf', poster)
  } catch (error) {
    if (error instanceof Problem) return none
    throw error
  } finally {
    await rm(poster, { force: true })
  }
}

/**
 * Takes away the place and other descriptions of an MP4 or MOV video, in the file itself. Makes thumbnail and placeholder
 * of a frame; both are null where no frame can be shown, and without ffmpeg.
 */
export async function prepareVideo(requester: Requester, path: string, facts: Inspected) {
  if (facts.mime !== 'video/webm') await inDecoderProcess(requester, 0, 'stripVideoMetadata', path)
  return { path, facts, ...(await thumbnailOf(requester, path, facts)) }
}
