import { type Static, Type } from 'typebox'
import { type BackupErrorCode, backupErrorCodes } from '../../../backup/backup-error.ts'
import { Count, idOf, nullable, Time } from '../../../lib/http/schema/schema.ts'

const Bytes = (description: string) => Type.Number({ minimum: 0, description, examples: [4_200_000] })
const TimeOrNull = (description: string) => Type.Unsafe<Date | null>({ ...nullable(Time), description })

export const Backup = Type.Object(
  {
    id: idOf('backup'),
    origin: Type.Enum(['schedule', 'admin', 'command'], {
      type: 'string',
      description: 'Origin: the schedule, an instance admin in the console, or the command `meydan backup`.',
    }),
    state: Type.Enum(['waiting', 'writing', 'verifying', 'verified', 'failed'], {
      type: 'string',
      description:
        '`waiting` for a worker, `writing`, `verifying` (it is read back whole), then `verified`, or `failed` with `error_code`.',
      examples: ['verified'],
    }),
    error_code: Type.Unsafe<BackupErrorCode | null>({
      ...nullable(Type.Enum([...backupErrorCodes], { type: 'string' })),
      description: 'Why it failed. Null for others.',
      examples: [null],
    }),
    target: Type.String({
      maxLength: 2000,
      description: 'Folder or bucket that it is written to, without credentials.',
      examples: ['s3://backups/meydan'],
    }),
    file_name: Type.String({ maxLength: 1000, examples: ['meydan-20261127T003000Z-1f3a9c02.backup'] }),
    started_at: Time,
    ended_at: TimeOrNull('Time at which it was verified or failed. Null while it runs.'),
    done_bytes: Bytes('Bytes of the current step that are done.'),
    total_bytes: Bytes('About how many bytes the current step has. 0 if that is not known yet.'),
    bytes: Type.Unsafe<number | null>({
      ...nullable(Bytes('Size of the file. Null until it is written.')),
    }),
    row_count: Type.Unsafe<number | null>({
      ...nullable(
        Type.Number({
          minimum: 0,
          description: 'Rows of the database. Null until it is written, and for a physical backup.',
          examples: [48_244],
        }),
      ),
    }),
    file_count: nullable(Count('Stored files. Null until it is written.', 120)),
    missing_files: nullable(
      Count('Files of the media library that the storage did not have. Null until it is written.'),
    ),
    verified_at: TimeOrNull('Time at which its file was last read whole.'),
    restored_at: TimeOrNull('Time of its last trial restore with `meydan verify --restore`.'),
    removed_at: TimeOrNull('Time at which its file was removed, because there are enough newer ones.'),
  },
  { title: 'Backup' },
)

const BackupOrNull = (description: string) =>
  Type.Unsafe<Static<typeof Backup> | null>({ ...nullable(Backup), description })

export const BackupSummary = Type.Object(
  {
    target: nullable(
      Type.String({
        maxLength: 2000,
        description: 'Folder or bucket of `BACKUP_URL`, without credentials. Null if it is not set.',
        examples: ['s3://backups/meydan'],
      }),
    ),
    has_passphrase: Type.Boolean({ description: 'Whether `BACKUP_PASSPHRASE` is set, with at least 12 characters.' }),
    next_at: TimeOrNull('Time of the next scheduled backup. Null without a schedule.'),
    last: BackupOrNull('The last backup that ended.'),
    last_verified: BackupOrNull('The last backup that was verified and is not removed.'),
    last_restored: BackupOrNull('The backup of the last trial restore.'),
  },
  { title: 'BackupSummary' },
)
