import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { freePort } from '../processes.ts'

const BUCKET = 'files'

/**
 * A server of the S3 protocol with one bucket. It adds to s3rver how unfinished uploads and their parts are listed, how
 * they are aborted, and calls that fail.
 */
export async function bucketServer() {
  const directory = await mkdtemp(join(tmpdir(), 'meydan-bucket-'))
  const port = await freePort()
  const configureBuckets = [{ name: BUCKET }]
  const server = new S3rver({ port, address: '127.0.0.1', silent: true, directory, configureBuckets })

  const partsOf = async (uploadId: string) => {
    const folder = join(directory, BUCKET, '._S3rver_uploads', uploadId)
    const names = (await readdir(folder)).filter((name) => /^\d+$/.test(name))
    return Promise.all(
      names.map(
        async (name) =>
          `<Part><PartNumber>${name}</PartNumber><ETag>"x"</ETag><Size>${(await stat(join(folder, name))).size}</Size></Part>`,
      ),
    )
  }
  const uploads = join(directory, BUCKET, '._S3rver_uploads')
  const unfinished = async () => {
    const ids = await readdir(uploads).catch(() => [])
    return Promise.all(ids.map(async (id) => ({ id, key: await readFile(join(uploads, id, 'key'), 'utf8') })))
  }
  server.middleware.unshift(async (context, next) => {
    const { uploadId } = context.query
    if (context.method === 'DELETE' && uploadId !== undefined) {
      await rm(join(uploads, uploadId), { recursive: true, force: true })
      context.status = 204
    } else if (context.method === 'GET' && 'uploads' in context.query) {
      context.type = 'application/xml'
      const listed = (await unfinished()).map(
        ({ id, key }) => `<Upload><Key>${key}</Key><UploadId>${id}</UploadId></Upload>`,
      )
      context.body = `<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>${listed.join('')}</ListMultipartUploadsResult>`
    } else return next()
  })
  /** Decides what happens to each call; undefined lets it pass. */
  let fault: (call: {
    method: string
    query: Record<string, string | undefined>
  }) => 'hang_up' | 'hang' | number | undefined = () => undefined
  const sockets = new Set<Socket>()
  server.middleware.unshift(async (context, next) => {
    const { method, query } = context
    sockets.add(context.req.socket)
    const outcome = fault({ method, query })
    if (outcome === undefined) return next()
    if (outcome === 'hang') return new Promise<void>(() => undefined)
    if (outcome === 'hang_up') context.req.socket.destroy()
    else {
      context.status = outcome
      context.body = ''
    }
  })
  server.middleware.unshift(async (context, next) => {
    const { uploadId } = context.query
    if (context.method !== 'GET' || uploadId === undefined) return next()
    context.type = 'application/xml'
    try {
      const parts = (await partsOf(uploadId)).join('')
      context.body = `<ListPartsResult><IsTruncated>false</IsTruncated>${parts}</ListPartsResult>`
    } catch {
      context.status = 404
      context.body = '<Error><Code>NoSuchUpload</Code><Message>It has ended.</Message></Error>'
    }
  })
  await server.run()
  return {
    /** STORAGE_URL of a bucket of this server. */
    urlOf: (bucket: string) => `s3://S3RVER:S3RVER@${bucket}?endpoint=http://127.0.0.1:${port}&path_style=true`,
    url: `s3://S3RVER:S3RVER@${BUCKET}?endpoint=http://127.0.0.1:${port}&path_style=true`,
    /** Lets calls fail from now on. */
    failWith: (next: typeof fault) => {
      fault = next
    },
    /** Breaks all connections. */
    hangUp: () => {
      for (const socket of sockets) socket.destroy()
      sockets.clear()
    },
    /** Keys of uploads that were neither completed nor aborted. */
    unfinished: async () => (await unfinished()).map(({ key }) => key),
    keys: async () => {
      const names = await readdir(join(directory, BUCKET), { recursive: true })
      return names.filter((name) => name.endsWith('._S3rver_object')).map((name) => name.replace('._S3rver_object', ''))
    },
    close: async () => {
      const closed = server.close()
      // A response that nobody reads to its end would keep the server open.
      for (const socket of sockets) socket.destroy()
      await closed
      await rm(directory, { recursive: true, force: true })
    },
  }
}
