import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import {
  CopyObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  NoSuchKey,
  paginateListObjectsV2,
  S3Client,
  type S3ClientConfig,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { Disk } from 'flydrive'
import { S3Driver } from 'flydrive/drivers/s3'
import type { Logger } from 'pino'
import { MINUTE } from '../../../../shared/time.ts'
import type { BucketUrl, Config } from '../../../config/config.ts'
import { notFound } from '../../../errors.ts'
import { StartError } from '../../../lib/runtime/start-error.ts'
import { isStoredFile } from './keys.ts'
import type { Storage, StoredFile } from './storage.ts'

const CONNECT_MS = 5000
/** Time without a byte after which a call ends. */
const IDLE_MS = MINUTE

export function bucketClientConfig(
  { endpoint, region, path_style, key_id, secret }: BucketUrl,
  config: Config,
): S3ClientConfig {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = config
  const credentials =
    key_id && secret
      ? { accessKeyId: key_id, secretAccessKey: secret }
      : AWS_ACCESS_KEY_ID && AWS_SECRET_ACCESS_KEY
        ? {
            accessKeyId: AWS_ACCESS_KEY_ID,
            secretAccessKey: AWS_SECRET_ACCESS_KEY,
            ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
          }
        : undefined
  return {
    region: region ?? config.AWS_REGION ?? 'us-east-1',
    forcePathStyle: path_style,
    ...(endpoint && { endpoint }),
    // Without credentials the library uses the role of its machine.
    ...(credentials && { credentials }),
    // Servers other than Amazon's do not know the checksums that the library adds otherwise.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: IDLE_MS },
  }
}

async function* filesIn(client: S3Client, bucket: string, folder?: string): AsyncIterable<StoredFile> {
  const search = { Bucket: bucket, ...(folder !== undefined && { Prefix: `${folder}/` }) }
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, search))
    for (const { Key: key, Size: size } of Contents)
      if (key !== undefined && size !== undefined && isStoredFile(key)) yield { key, size }
}

export async function bucketStorage(url: BucketUrl, config: Config, log: Pick<Logger, 'warn'>): Promise<Storage> {
  const settings = bucketClientConfig(url, config)
  const { bucket } = url
  const client = new S3Client(settings)
  const disk = new Disk(new S3Driver({ client, bucket, visibility: 'private', supportsACL: false }))
  await checkBucket(client, bucket, log)
  return {
    moveIn: async (path, key, contentType) => {
      const { size } = await stat(path)
      await disk.putStream(key, createReadStream(path), { contentType, contentLength: size })
      await rm(path)
    },
    put: (key, bytes, contentType) => disk.put(key, bytes, { contentType }),
    copy: async (from, to) => {
      const request = { Bucket: bucket, Key: to, CopySource: `${bucket}/${from}` }
      await client.send(new CopyObjectCommand(request)).catch((error) => {
        throw error instanceof Error && error.name === 'NoSuchKey' ? notFound() : error
      })
    },
    open: async (key, range) => {
      const request = { Bucket: bucket, Key: key, ...(range && { Range: `bytes=${range.start}-${range.end}` }) }
      const { Body } = await client.send(new GetObjectCommand(request)).catch((error) => {
        throw error instanceof NoSuchKey ? notFound() : error
      })
      if (!(Body instanceof Readable)) throw new Error(`The bucket returned no content for ${key}`)
      return Body
    },
    list: (folder) => filesIn(client, bucket, folder),
    erase: (folder) => disk.deleteAll(folder),
    bucket: { ...settings, bucket },
    close: () => client.destroy(),
  }
}

/** The HTTP status of a response with an error; undefined if none came. */
export const statusOf = (error: unknown) =>
  error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined

/** A bucket that refuses us stops the start. One that cannot be reached may be back when the first file is needed. */
async function checkBucket(client: S3Client, bucket: string, log: Pick<Logger, 'warn'>) {
  try {
    await client.send(new HeadBucketCommand({ Bucket: bucket }), { abortSignal: AbortSignal.timeout(CONNECT_MS) })
  } catch (err) {
    const status = statusOf(err)
    if (status !== undefined && status < 500)
      throw new StartError(
        `STORAGE_URL names a bucket that cannot be used: ${bucket} (HTTP ${status}). Check its name, region and credentials.`,
      )
    log.warn({ err, bucket }, 'the storage bucket cannot be reached')
  }
}
