/**
 * The file of a backup: one line of JSON in the open, then the content in encrypted frames.
 *
 * The content is a tar archive, compressed with Zstandard and cut into frames of up to 1 MiB. Each frame is a byte (1 for
 * the last frame, else 0), its length in four bytes, and the frame encrypted with AES-256-GCM. The key is random; the
 * first line holds it, encrypted with a key that scrypt derives from the passphrase. Every frame is bound to the first
 * line, to its number and to whether it is the last: a file that was cut, changed or reordered cannot be read.
 */
import { createHash, createSecretKey, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { decrypt, encrypt } from '../lib/crypto/crypto.ts'
import { BackupError } from './backup-error.ts'

/** Formats of a logical backup, and of the kinds that older versions of Meydan refuse because they do not know them. */
const FORMATS = { logical: 1, physical: 2, workspace: 2 }
const FRAME = 1 << 20
/** Bytes that encryption adds to a frame: its nonce and its tag. */
const ENCRYPTION = 28
const FRAME_HEAD = 5
const LONGEST_HEADER = 1 << 20
/** Parameters of scrypt: 128 MiB of memory for each guess of a passphrase. */
const SCRYPT = { N: 1 << 17, r: 8, p: 1, maxmem: 256 << 20 }

/** Description of a backup that can be read without its passphrase. */
export type BackupInfo = {
  /** Version of Meydan that wrote it. */
  meydan: string
  /** Time of the snapshot of the database. */
  created_at: string
  migrations: string[]
  /** Version of the PostgreSQL whose data directory it holds, such as `18.4`. Only a physical backup has one. */
  postgres?: string
  /** Id of the workspace, in a file that has only one. */
  workspace?: string
}

type Header = BackupInfo & { format: number; salt: string; key: string }

const deriveKey = promisify<string, Buffer, number, typeof SCRYPT, Buffer>(scrypt)
const passphraseKey = async (passphrase: string, salt: string) =>
  createSecretKey(await deriveKey(passphrase.normalize('NFC'), Buffer.from(salt, 'base64'), 32, SCRYPT))

const contextOf = (line: Buffer) => createHash('sha256').update(line).digest('hex')
const frameContext = (context: string, number: number, last: boolean) => `${context}|${number}|${last}`

/** Yields the bytes of the file for a content, which must not be empty. */
export async function* encryptBackup(content: AsyncIterable<Buffer>, info: BackupInfo, passphrase: string) {
  const salt = randomBytes(16).toString('base64')
  const bytes = randomBytes(32)
  const wrapped = encrypt(await passphraseKey(passphrase, salt), bytes, 'backup key').toString('base64')
  const kind = info.workspace !== undefined ? 'workspace' : info.postgres !== undefined ? 'physical' : 'logical'
  const format = FORMATS[kind]
  const header: Header = { format, ...info, salt, key: wrapped }
  const line = Buffer.from(`${JSON.stringify(header)}\n`)
  yield line

  const key = createSecretKey(bytes)
  const context = contextOf(line)
  let number = 0
  const frame = (plain: Buffer, last: boolean) => {
    const sealed = encrypt(key, plain, frameContext(context, number++, last))
    const head = Buffer.alloc(FRAME_HEAD)
    head.writeUInt8(last ? 1 : 0)
    head.writeUInt32BE(sealed.length, 1)
    return Buffer.concat([head, sealed])
  }
  let waiting: Buffer[] = []
  let size = 0
  for await (const chunk of content) {
    waiting.push(chunk)
    size += chunk.length
    if (size <= FRAME) continue
    let plain = Buffer.concat(waiting)
    // A full frame waits for the next byte: only then is it known not to be the last.
    for (; plain.length > FRAME; plain = plain.subarray(FRAME)) yield frame(plain.subarray(0, FRAME), false)
    waiting = [plain]
    size = plain.length
  }
  yield frame(Buffer.concat(waiting), true)
}

/** The file is no backup, was cut or changed, or has another passphrase. */
class UnreadableBackup extends BackupError {
  constructor(message: string) {
    super('damaged', message)
  }
}

const notABackup = () => new UnreadableBackup('This file is not a backup of Meydan.')
const wasCut = () =>
  new UnreadableBackup('The backup is incomplete: the file ends too early. Use another copy of it, or another backup.')
const wasChanged = () =>
  new UnreadableBackup(
    'The backup is damaged: a part of the file was changed. Use another copy of it, or another backup.',
  )

function readHeader(line: Buffer): Header {
  let header: Header
  try {
    header = JSON.parse(line.toString())
  } catch {
    throw notABackup()
  }
  if (typeof header.format !== 'number' || !Array.isArray(header.migrations)) throw notABackup()
  if (header.format > Math.max(...Object.values(FORMATS)))
    throw new UnreadableBackup(
      `This backup was made by a newer Meydan (${header.meydan}). Restore it with that version.`,
    )
  return header
}

async function openKey({ salt, key }: Header, passphrase: string) {
  try {
    return createSecretKey(decrypt(await passphraseKey(passphrase, salt), Buffer.from(key, 'base64'), 'backup key'))
  } catch {
    throw new UnreadableBackup('The passphrase is not the one that this backup was made with.')
  }
}

/** Reads the first line only, which anybody may have changed. */
export async function readInfo(file: AsyncIterable<Buffer>): Promise<BackupInfo> {
  const reader = bytesOf(file)
  try {
    const line = await reader.line(LONGEST_HEADER)
    if (!line) throw notABackup()
    return readHeader(line)
  } finally {
    await reader.close()
  }
}

/**
 * Yields the content of a file. `onInfo` is called with its first line before any content is read. Throws
 * UnreadableBackup, at the latest at the end: nothing may be kept of a content that did not end.
 */
export async function* decryptBackup(
  file: AsyncIterable<Buffer>,
  passphrase: string,
  onInfo: (info: BackupInfo) => void | Promise<void>,
) {
  const reader = bytesOf(file)
  const line = await reader.line(LONGEST_HEADER)
  if (!line) throw notABackup()
  const header = readHeader(line)
  const key = await openKey(header, passphrase)
  await onInfo(header)

  const context = contextOf(line)
  for (let number = 0, last = false; !last; number++) {
    const head = await reader.bytes(FRAME_HEAD)
    if (!head) throw wasCut()
    last = head.readUInt8() === 1
    const length = head.readUInt32BE(1)
    if (length > FRAME + ENCRYPTION) throw wasChanged()
    const sealed = await reader.bytes(length)
    if (!sealed) throw wasCut()
    let plain: Buffer
    try {
      plain = decrypt(key, sealed, frameContext(context, number, last))
    } catch {
      throw wasChanged()
    }
    yield plain
  }
  if (await reader.bytes(1)) throw wasChanged()
}

/** Reads a stream by lengths. Each function returns undefined if the stream ends before. */
function bytesOf(stream: AsyncIterable<Buffer>) {
  const chunks = stream[Symbol.asyncIterator]()
  let waiting: Buffer[] = []
  let size = 0
  const more = async () => {
    const { value, done } = await chunks.next()
    if (done) return false
    waiting.push(value)
    size += value.length
    return true
  }
  const take = (length: number) => {
    const all = Buffer.concat(waiting)
    waiting = [all.subarray(length)]
    size -= length
    return all.subarray(0, length)
  }
  return {
    close: async () => {
      await chunks.return?.()
    },
    bytes: async (length: number) => {
      while (size < length) if (!(await more())) return
      return take(length)
    },
    line: async (longest: number) => {
      for (;;) {
        const end = Buffer.concat(waiting).indexOf('\n')
        if (end >= 0) return take(end + 1)
        if (size > longest || !(await more())) return
      }
    },
  }
}
