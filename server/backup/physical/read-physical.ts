import { createHash } from 'node:crypto'
import { BackupError } from '../backup-error.ts'
import type { BackupInfo } from '../backup-file.ts'
import { type Entries, type FileVisitor, readFiles, refuseOtherFiles } from '../read-backup.ts'
import type { PhysicalManifest } from './write-physical.ts'

type PhysicalContents = {
  info: BackupInfo
  manifest: PhysicalManifest
  secret: string
  /** Password file of the embedded PostgreSQL, if it is one of that. */
  password: string | undefined
}

/** Takes the parts of a physical backup, which come in this order. A content must be read to its end. */
type PhysicalVisitor<T> = {
  /** Takes whether the backup is one of the embedded PostgreSQL. */
  embedded?: (isEmbedded: boolean) => void
  /** Takes a folder of the data directory, which comes before its files. */
  clusterFolder?: (path: string) => Promise<void>
  /** Takes a file of the data directory. */
  clusterFile: (path: string, content: AsyncIterable<Buffer>) => Promise<void>
  file: FileVisitor
  /** After the last byte was read and found to be that of the backup. */
  end: (contents: PhysicalContents) => Promise<T>
}

/** Files that are added to a data directory after PostgreSQL has made its manifest: the WAL. */
const isWal = (path: string) => path.startsWith('pg_wal/')

type ClusterFile = { size: number; sha256: string }

/** Reads what a physical backup has, and compares each file of the data directory with the manifest of PostgreSQL. */
export async function readPhysicalBackup<T>(entries: Entries, info: BackupInfo, visitor: PhysicalVisitor<T>) {
  const secret = await entries.text('secret.key')
  const password = entries.name() === 'password' ? await entries.text('password') : undefined
  visitor.embedded?.(password !== undefined)
  const cluster = new Map<string, ClusterFile>()
  for (; entries.name().startsWith('cluster/'); await entries.advance()) {
    const path = entries.name().slice('cluster/'.length)
    if (!isInside(path)) throw new BackupError('damaged', `The backup names a file outside of its folder: ${path}`)
    if (entries.type() === 'directory') await visitor.clusterFolder?.(path)
    else
      await visitor.clusterFile(
        path,
        hashed(entries.take(), (file) => cluster.set(path, file)),
      )
  }
  refuseOtherCluster(cluster, await entries.text('backup_manifest'))
  const found = await readFiles(entries, visitor.file)
  const manifest: PhysicalManifest = JSON.parse(await entries.text('manifest.json'))
  await entries.end()
  refuseOtherFiles(found, manifest)
  return visitor.end({ info, manifest, secret, password })
}

const isInside = (path: string) => !path.startsWith('/') && !path.split('/').includes('..')

async function* hashed(content: AsyncIterable<Buffer>, onEnd: (file: ClusterFile) => void) {
  const hash = createHash('sha256')
  let size = 0
  for await (const part of content) {
    hash.update(part)
    size += part.length
    yield part
  }
  onEnd({ size, sha256: hash.digest('hex') })
}

type BackupManifest = { Files: { Path?: string; 'Encoded-Path'?: string; Size: number; Checksum: string }[] }

/** Compares files with the manifest of a base backup, whose last line holds its own checksum. */
function refuseOtherCluster(cluster: Map<string, ClusterFile>, text: string) {
  const [, body = '', checksum] = text.match(/^(.*\n)"Manifest-Checksum": "([0-9a-f]{64})"\}\n?$/s) ?? []
  if (createHash('sha256').update(body).digest('hex') !== checksum)
    throw new BackupError('damaged', 'The manifest of the data directory is damaged.')
  const { Files }: BackupManifest = JSON.parse(text)
  const named = new Set<string>()
  for (const { Path, 'Encoded-Path': encoded = '', Size, Checksum } of Files) {
    const path = Path ?? Buffer.from(encoded, 'hex').toString()
    named.add(path)
    const file = cluster.get(path)
    if (file?.size !== Size || file.sha256 !== Checksum)
      throw new BackupError('damaged', `The backup lacks ${path} of the data directory, or a part of it.`)
  }
  for (const path of cluster.keys())
    if (!named.has(path) && !isWal(path))
      throw new BackupError('damaged', `The backup has ${path}, which is no file of the data directory.`)
}
