import { Type } from 'typebox'
import { nullable, Time } from '../../../lib/http/schema/schema.ts'
import { groups, levels } from '../../../lib/runtime/checks/check.ts'

const Level = Type.Enum([...levels], { type: 'string' })

/** Texts of other systems are cut to 400 bytes before. */
const MAX_TEXT = 1000

const StatusCheck = Type.Object(
  {
    name: Type.String({ maxLength: 60, description: 'Name of the check.', examples: ['disk'] }),
    group: Type.Enum([...groups], { type: 'string' }),
    level: Level,
    code: Type.String({
      maxLength: 120,
      description: 'Result of the check. Codes that begin with `check.` are of checks that could not be made.',
      examples: ['disk.low'],
    }),
    values: Type.Record(
      Type.String({ maxLength: 60, pattern: '^[a-z_]+$' }),
      Type.Union([Type.String({ maxLength: MAX_TEXT }), Type.Number({ minimum: -1e15, maximum: 1e15 })]),
      {
        maxProperties: 10,
        description: 'Numbers and texts in the message, for texts of your own.',
        examples: [{ free_mb: 512 }],
      },
    ),
    message: Type.String({
      maxLength: 2 * MAX_TEXT,
      description: 'Result of the check, as an English sentence.',
      examples: ['The disk of DATA_DIR has only 512 MB of free space.'],
    }),
    remedy: nullable(
      Type.String({
        maxLength: 2 * MAX_TEXT,
        description: 'Remedy, as an English sentence. Null if nothing is wrong.',
        examples: ['Free some space, or enlarge the disk.'],
      }),
    ),
  },
  { title: 'StatusCheck' },
)

export const Status = Type.Object(
  {
    level: Type.Enum([...levels], { type: 'string', description: 'The worst level of the checks.' }),
    read_at: Time,
    version: Type.String({ maxLength: 60, description: 'Version of this node.', examples: ['0.1.0'] }),
    checks: Type.Array(StatusCheck, { maxItems: 200, description: 'In display order, by group.' }),
  },
  { title: 'Status' },
)
