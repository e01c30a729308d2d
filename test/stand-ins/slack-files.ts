import { fileTypeFromBuffer } from 'file-type'
import type { Reply } from './server.ts'
import { isObject, Refusal } from './slack-checks.ts'

type File = {
  id: string
  token: string
  filename: string
  length: number
  alt: string | null
  title: string | null
  bytes: Buffer | null
  type: string
  state: 'reserved' | 'uploaded' | 'complete'
  /** Looks with `files.info` that find the file still in work, once it is complete. */
  looksLeft: number
  shares: { channel: string; isPrivate: boolean; ts: string }[]
}

/** The upload of files: reserve an address, send the bytes to it, complete. Slack processes a file after that. */
export function slackFiles({ newId, origin }: { newId: (prefix: string) => string; origin: () => string }) {
  const files = new Map<string, File>()
  let looks = 1
  const nextLooks: number[] = []

  const isReady = ({ state, looksLeft }: File) => state === 'complete' && looksLeft === 0

  function reserve({ filename, length, alt_txt }: Record<string, unknown>) {
    const id = newId('F')
    const token = newId('X')
    const alt = typeof alt_txt === 'string' && alt_txt ? alt_txt : null
    const file = {
      id,
      token,
      filename: String(filename),
      length: Number(length),
      alt,
      title: null,
      bytes: null,
      type: '',
    }
    files.set(id, { ...file, state: 'reserved', looksLeft: 0, shares: [] })
    return { upload_url: `${origin()}/upload/v1/${token}`, file_id: id }
  }

  /** Bytes come as they are, or as the file of a form. */
  async function receive(path: string, bytes: Buffer): Promise<Reply> {
    const text = (status: number, body: string) => ({ status, body: Buffer.from(body) })
    const file = [...files.values()].find(({ token }) => path === `/upload/v1/${token}`)
    if (!file || file.state === 'complete') return text(404, 'Not Found')
    if (bytes.length !== file.length) return text(400, 'Bad Request: length')
    const type = (await fileTypeFromBuffer(new Uint8Array(bytes)))?.mime ?? 'text/plain'
    Object.assign(file, { bytes, type, state: 'uploaded' })
    return text(200, `OK - ${bytes.length}`)
  }

  function complete(value: unknown): File[] {
    const wanted: unknown[] = Array.isArray(value) ? value : []
    const found = wanted.filter(isObject).flatMap(({ id, title }) => {
      const file = files.get(String(id))
      return file?.state === 'uploaded' ? [{ file, title }] : []
    })
    if (found.length < wanted.length) throw new Refusal('file_not_found')
    for (const { file, title } of found)
      Object.assign(file, {
        state: 'complete',
        title: title ?? file.filename,
        looksLeft: nextLooks.shift() ?? looks,
      })
    return found.map(({ file }) => file)
  }

  /** Shares are listed only once a file is ready, though its message may stand before. */
  function info(id: unknown) {
    const file = files.get(String(id))
    if (!file || file.state === 'reserved') throw new Refusal('file_not_found')
    const isFinished = isReady(file)
    if (file.state === 'complete' && file.looksLeft > 0) file.looksLeft--
    const visible = isFinished ? file.shares : []
    const sharesOf = (wanted: boolean) => {
      const found = visible.filter(({ isPrivate }) => isPrivate === wanted)
      return found.length > 0 && Object.fromEntries(found.map(({ channel, ts }) => [channel, [{ ts }]]))
    }
    const [open, hidden] = [sharesOf(false), sharesOf(true)]
    return {
      file: {
        id: file.id,
        name: file.filename,
        title: file.title,
        mimetype: isFinished ? file.type : '',
        filetype: isFinished ? file.type.replace(/^.*\//, '') : '',
        size: file.length,
        alt_txt: file.alt ?? '',
        shares: { ...(open && { public: open }), ...(hidden && { private: hidden }) },
      },
    }
  }

  return {
    reserve,
    receive,
    complete,
    info,
    /** A file that a block may show. */
    image: (id: string) => {
      const file = files.get(id)
      return file && isReady(file) ? { type: file.type } : undefined
    },
    /** Sets the number of looks that find a completed file in work, 1 at first. */
    processFor: (times: number) => {
      looks = times
    },
    /** Never finishes the next file that is completed. */
    neverFinishNext: () => nextLooks.push(Number.POSITIVE_INFINITY),
  }
}
