import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { freePort } from '../processes.ts'

const BUCKET = 'files'

/** A server of the S3 protocol with one bucket. It adds to s3rver how the parts of an unfinished upload are listed. */
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
    close: async () => {
      await server.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
