import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import type { BucketUrl, Config } from '../../config/config.ts'
import { createTimings } from '../../lib/runtime/timings.ts'
import { bucketClientConfig, statusOf } from '../../modules/media/storage/bucket.ts'
import { BackupError } from '../backup-error.ts'
import { addressOf, type BackupFile, type BackupTarget } from './target.ts'

/** Smallest size of a part, in bytes. Buckets take at least 5 MiB, except for the last one. */
const PART = 8 << 20
const MOST_PARTS = 10_000

type Upload = { Bucket: string; Key: string; UploadId: string | undefined }

export function bucketTarget(url: BucketUrl, config: Config): BackupTarget {
  const { bucket, path } = url
  const client = new S3Client(bucketClientConfig(url, config))
  const { uploadRetries } = createTimings(config.TIMINGS_DIVISOR)
  return {
    address: addressOf(url),
    file: (name) => fileIn({ client, bucket, name, key: path ? `${path}/${name}` : name, waits: uploadRetries }),
    close: () => client.destroy(),
  }
}

type Place = { client: S3Client; bucket: string; name: string; key: string; waits: number[] }

function fileIn({ client, bucket, name, key, waits }: Place): BackupFile {
  const object = { Bucket: bucket, Key: key }
  const address = `s3://${bucket}/${key}`
  const said = (error: unknown) => explain(error, address)
  /** Size in bytes; undefined if there is no such object. */
  const sizeOf = async () => {
    try {
      return (await client.send(new HeadObjectCommand(object))).ContentLength
    } catch (error) {
      if (statusOf(error) === 404) return
      throw said(error)
    }
  }
  const abort = (upload: Upload) =>
    retrying(waits, () => client.send(new AbortMultipartUploadCommand(upload))).catch((error) => {
      // It has ended already.
      if (statusOf(error) !== 404) throw said(error)
    })

  return {
    name,
    address,
    exists: async () => (await sizeOf()) !== undefined,
    write: async (content, { size, signal }) => {
      const created = await client.send(new CreateMultipartUploadCommand(object)).catch((error) => {
        throw said(error)
      })
      const upload = { ...object, UploadId: created.UploadId }
      try {
        const { parts, bytes } = await sendParts({ client, upload, waits, signal }, content, partSize(size))
        const request = new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: parts } })
        await retrying(waits, () => client.send(request)).catch(async (error) => {
          // The response to one that succeeded may have been lost.
          if (statusOf(error) !== 404 || (await sizeOf()) !== bytes) throw error
        })
        return bytes
      } catch (error) {
        // If this fails, `removePartial` aborts it before the next backup.
        await abort(upload).catch(() => undefined)
        throw said(error)
      }
    },
    open: async (signal) => {
      const size = await sizeOf()
      if (size === undefined) throw new BackupError('target_refused', `${address} does not exist.`)
      return { size, content: readObject({ client, object, waits, signal }, size, address) }
    },
    remove: async () => {
      await retrying(waits, () => client.send(new DeleteObjectCommand(object))).catch((error) => {
        throw said(error)
      })
    },
    removePartial: async () => {
      // One page is enough: each process that is killed leaves one upload at most.
      const list = new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: key })
      const { Uploads = [] } = await retrying(waits, () => client.send(list)).catch((error) => {
        throw said(error)
      })
      for (const { Key, UploadId } of Uploads) if (Key === key) await abort({ ...object, UploadId })
    },
  }
}

/** Twice the expected size fits into the number of parts that a bucket takes. All parts have one size, as R2 requires. */
const partSize = (size: number) => Math.max(PART, Math.ceil((2 * size) / MOST_PARTS))

type Sending = { client: S3Client; upload: Upload; waits: number[]; signal: AbortSignal | undefined }

/** Sends one part while the next is read, so that at most three are in memory. A part that is lost is sent again. */
async function sendParts({ client, upload, waits, signal }: Sending, content: AsyncIterable<Buffer>, size: number) {
  const parts: CompletedPart[] = []
  let bytes = 0
  const send = async (Body: Buffer, PartNumber: number) => {
    const request = new UploadPartCommand({ ...upload, PartNumber, Body })
    const { ETag } = await retrying(
      waits,
      () => client.send(request, { ...(signal && { abortSignal: signal }) }),
      signal,
    )
    parts.push({ PartNumber, ETag })
    bytes += Body.length
  }
  let sending: Promise<void> | undefined
  let number = 0
  try {
    for await (const part of cutInto(content, size)) {
      signal?.throwIfAborted()
      await sending
      sending = send(part, ++number)
      // Awaited with the next part.
      sending.catch(() => undefined)
    }
    await sending
    return { parts, bytes }
  } finally {
    // A part that arrives after the upload was aborted stays in the bucket.
    await sending?.catch(() => undefined)
  }
}

/** Cuts a content into parts of exactly this size, and a last one. */
async function* cutInto(content: AsyncIterable<Buffer>, size: number) {
  let part = Buffer.allocUnsafe(size)
  let used = 0
  for await (let chunk of content) {
    while (chunk.length > 0) {
      const taken = chunk.copy(part, used)
      used += taken
      chunk = chunk.subarray(taken)
      if (used < size) continue
      yield part
      part = Buffer.allocUnsafe(size)
      used = 0
    }
  }
  if (used > 0) yield part.subarray(0, used)
}

type Reading = {
  client: S3Client
  object: { Bucket: string; Key: string }
  waits: number[]
  signal: AbortSignal | undefined
}

/** Reads an object to its end, across broken connections. */
async function* readObject(
  { client, object, waits, signal }: Reading,
  size: number,
  address: string,
): AsyncGenerator<Buffer> {
  let offset = 0
  let failures = 0
  while (offset < size) {
    const request = new GetObjectCommand({ ...object, Range: `bytes=${offset}-` })
    try {
      const { Body } = await client.send(request, { ...(signal && { abortSignal: signal }) })
      if (!(Body instanceof Readable)) throw new Error('The bucket returned no content')
      for await (const chunk of Body) {
        offset += chunk.length
        failures = 0
        yield chunk
      }
    } catch (error) {
      const wait = waits[failures++]
      if (signal?.aborted) throw error
      if (wait === undefined || isRefused(error)) throw explain(error, address, true)
      await setTimeout(wait, undefined, { signal })
    }
  }
}

/** Too many calls, and calls that took too long, are no refusals. */
function isRefused(error: unknown) {
  const status = statusOf(error) ?? 500
  return status < 500 && status !== 408 && status !== 429
}

/** Calls again after each of `waits`, unless the bucket refuses the call. */
async function retrying<T>(waits: number[], call: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (const wait of waits)
    try {
      return await call()
    } catch (error) {
      if (signal?.aborted || isRefused(error)) throw error
      await setTimeout(wait, undefined, { signal })
    }
  return call()
}

/** `isCall`: the error came from a call. Those of the content, such as a lost database, end an upload too. */
function explain(error: unknown, address: string, isCall = error instanceof Error && '$metadata' in error) {
  if (error instanceof BackupError || !isCall) return error
  return isRefused(error)
    ? new BackupError(
        'target_refused',
        `${address} cannot be used (HTTP ${statusOf(error)}). Check the bucket, its region and the credentials.`,
        error,
      )
    : new BackupError(
        'target_unreachable',
        `${address} cannot be reached. Check its endpoint and the network. Nothing was kept.`,
        error,
      )
}
