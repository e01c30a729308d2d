import { Readable } from 'node:stream'
import pg from 'pg'
import type { ConnectionConfig } from '../../lib/db/database.ts'
import { codeOf } from '../../lib/error-code.ts'
import { StartError } from '../../lib/runtime/start-error.ts'

/** Reserves the WAL of the time of the backup until its connection ends. */
const RESERVE = 'CREATE_REPLICATION_SLOT meydan_backup TEMPORARY PHYSICAL (RESERVE_WAL true)'
/** `WAIT false`: the backup has its WAL, and need not wait until that is archived. */
const BACKUP = `BASE_BACKUP (LABEL 'meydan', CHECKPOINT 'fast', WAL true, WAIT false, MANIFEST 'yes', MANIFEST_CHECKSUMS 'SHA256')`
/** Messages that wait to be read, of up to 32 KiB each. */
const MESSAGES = 32

/** First bytes of the messages of a base backup. */
const kinds = { archive: 0x6e, manifest: 0x6d, data: 0x64 }

type Message = { kind: number; content: Buffer }

/** Reads the messages of the COPY that BASE_BACKUP sends, and stops the connection while nobody reads them. */
class BaseBackup extends Readable implements pg.Submittable {
  #connection: pg.Connection | undefined
  constructor() {
    super({ objectMode: true, highWaterMark: MESSAGES })
  }
  submit(connection: pg.Connection) {
    this.#connection = connection
    connection.query(BACKUP)
  }
  override _read() {
    this.#connection?.stream.resume()
  }
  handleCopyData({ chunk }: { chunk: Buffer }) {
    // The parser writes the next message over this one.
    const message: Message = { kind: chunk.readUInt8(), content: Buffer.from(chunk.subarray(1)) }
    if (!this.push(message)) this.#connection?.stream.pause()
  }
  handleError(error: Error) {
    this.destroy(error)
  }
  handleReadyForQuery() {
    this.push(null)
  }
  // Where the backup begins and ends, and the tablespaces.
  handleRowDescription() {}
  handleDataRow() {}
  handleCommandComplete() {}
}

/** Opens a base backup of the whole server: the tar archive of its data directory, and then its manifest. */
export async function openBaseBackup(connection: ConnectionConfig) {
  const client = new pg.Client({ ...connection, ...asWalSender, keepAlive: true, application_name: 'meydan-backup' })
  client.on('error', () => undefined)
  const close = () => client.end()
  try {
    await client.connect()
    await client.query(RESERVE)
  } catch (error) {
    await close().catch(() => undefined)
    throw refused(error, client.user)
  }
  const manifest: Buffer[] = []
  async function* archive() {
    let part: number | undefined
    const messages: AsyncIterable<Message> = client.query(new BaseBackup())
    for await (const { kind, content } of messages) {
      if (kind === kinds.archive || kind === kinds.manifest) part = kind
      // Messages of other kinds report the progress.
      else if (kind === kinds.data && part === kinds.manifest) manifest.push(content)
      else if (kind === kinds.data) yield content
    }
  }
  return {
    archive: archive(),
    /** Known at the end of the archive. */
    manifest: () => Buffer.concat(manifest),
    close,
  }
}

/** `pg` sends it, but its types do not have it. */
const asWalSender = { replication: 'true' }

const refused = (error: unknown, role = 'meydan') => {
  const words = error instanceof Error ? error.message : String(error)
  if (['28000', '42501'].includes(codeOf(error)))
    return new StartError(
      `PostgreSQL allows no physical backup: ${words}. Run \`alter role ${role} replication\` as a superuser, and add \`host replication ${role} <address> scram-sha-256\` to pg_hba.conf. Where you may do neither, such as on a managed PostgreSQL, make a backup without --physical, which needs no grant.`,
    )
  if (['53300', '53400', '55000', '08P01'].includes(codeOf(error)))
    return new StartError(
      `PostgreSQL allows no physical backup: ${words}. It needs wal_level = replica, a free one of max_wal_senders and of max_replication_slots, and a direct address (DATABASE_DIRECT_URL). A backup without --physical needs none of them.`,
    )
  return error
}
