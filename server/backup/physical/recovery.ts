import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { MARK } from '../../modules/installation/hold.ts'

/** From where, and until when, a restored PostgreSQL recovers what happened after its backup. */
export type Recovery = {
  /** Folder of the archived WAL, or a command that fetches a file of it. */
  wal?: { folder: string } | { command: string } | undefined
  until?: Date | undefined
}

/**
 * The settings with which PostgreSQL recovers a base backup. It begins a new timeline in any case, so that its WAL never
 * overwrites that of the original in the same archive. An empty target replaces that of an earlier restore.
 */
export function recoverySettings({ wal, until }: Recovery, backup_at: string) {
  const settings = {
    restore_command: restoreCommand(wal),
    recovery_target: '',
    recovery_target_name: '',
    recovery_target_xid: '',
    recovery_target_lsn: '',
    recovery_target_time: until ? timestamp(until) : '',
    recovery_target_timeline: 'latest',
    recovery_target_action: 'promote',
    [MARK]: `${randomUUID()} ${backup_at}`,
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${quoted(value)}`)
  return ['', '# Added by meydan restore --physical', ...lines, ''].join('\n')
}

/** PostgreSQL reads no `Z` in its settings. */
const timestamp = (time: Date) => time.toISOString().replace('T', ' ').replace('Z', '+00')

function restoreCommand(wal: Recovery['wal']) {
  // Finds nothing, so that PostgreSQL takes the WAL of the backup.
  if (!wal) return 'false'
  if ('command' in wal) return wal.command
  return `cp ${forShell(resolve(wal.folder)).replaceAll('%', '%%')}/%f "%p"`
}

const forShell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
