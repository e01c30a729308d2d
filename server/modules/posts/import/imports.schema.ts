import { Type } from 'typebox'
import { Separator } from '../../../lib/csv.ts'
import { PageQuery } from '../../../lib/db/page.ts'
import { Closed, Count, InputTime, idOf, idPattern, nullable, Time, TimeText } from '../../../lib/http/schema/schema.ts'
import { encodings } from '../../../lib/spreadsheet/decode.ts'
import { MAX_COLUMNS, MAX_FILE_BYTES } from '../../../lib/spreadsheet/limits.ts'
import { translations } from '../record/posts.schema.ts'
import { importFields, importFormats } from './file/columns.ts'
import { dateOrders } from './file/dates.ts'
import { importStatuses } from './rows/read-row.ts'

const importStates = ['mapping', 'checking', 'ready', 'writing', 'done', 'undoing', 'undone'] as const
const rowStates = ['unchecked', 'ok', 'warning', 'error', 'skipped', 'written', 'undone', 'kept'] as const

const Field = Type.Enum([...importFields], {
  type: 'string',
  description: 'Meaning of the cells of a column. `network`: a mark where a row goes to the network of that name.',
})
const DateOrder = nullable(
  Type.Enum([...dateOrders], {
    type: 'string',
    description: 'Order of dates such as 05/11/2026. Null while it is not decided, or when no date needs it.',
  }),
)
const Zone = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'IANA time zone of the times, where a row names none.',
  examples: ['Europe/Istanbul'],
})
const AccountIds = Type.Array(idOf('account'), {
  maxItems: 50,
  uniqueItems: true,
  description: 'Accounts of the rows that name none.',
  examples: [[]],
})
const AccountNames = Type.Record(Type.String({ maxLength: 200 }), Type.String({ pattern: idPattern, maxLength: 36 }), {
  maxProperties: 50,
  description: 'The account that each name of the file stands for, by the name in lower case.',
  examples: [{}],
})
const Cell = Type.String({ maxLength: 262_144, examples: ['Fresh simit from seven in the morning.'] })

export const UploadImport = Closed(
  {
    file: Type.Unsafe<never>(
      Type.String({
        format: 'binary',
        maxLength: MAX_FILE_BYTES,
        description: 'The spreadsheet. Its type is taken from its content.',
        examples: ['(bytes)'],
      }),
    ),
    encoding: Type.Optional(
      Type.Enum([...encodings], { type: 'string', description: 'Encoding of the text, if it was not recognized.' }),
    ),
    timezone: Type.Optional(Zone),
    account_ids: Type.Optional({
      ...AccountIds,
      description: 'Accounts of the rows that name none. Repeat the field.',
    }),
  },
  { title: 'UploadImport' },
)

const Column = Type.Object({
  name: Type.String({ maxLength: 100, description: 'Name in the header, or its number.', examples: ['Posting Time'] }),
  field: Field,
  samples: Type.Array(Type.String({ maxLength: 120 }), {
    maxItems: 3,
    description: 'The first cells.',
    examples: [['2026-03-28 09:00']],
  }),
})

const RowProblem = Type.Object({
  severity: Type.Enum(['error', 'warning'], { type: 'string' }),
  field: Field,
  column: nullable(
    Type.Integer({ minimum: 0, maximum: MAX_COLUMNS, description: 'Index of the column. Null without one.' }),
  ),
  code: Type.String({
    maxLength: 40,
    description: 'A code of `POST /posts/validate`, or one of the import, such as `unknown_account`.',
    examples: ['too_long'],
  }),
  message: Type.String({ maxLength: 1000 }),
  translations,
  value: nullable(Type.String({ maxLength: 300, description: 'The beginning of what the cell has.' })),
  suggestion: nullable(Type.String({ maxLength: 100, description: 'Value that may have been meant.' })),
})

const ProblemCount = Type.Object({
  severity: RowProblem.properties.severity,
  field: Field,
  column: RowProblem.properties.column,
  code: RowProblem.properties.code,
  count: Count('Number of rows.', 12),
})

const Counts = Type.Object(
  {
    rows: Count('Number of rows, without the header.', 60),
    unchecked: Count('Rows still to be checked.'),
    ok: Count('Rows without a problem.', 58),
    warnings: Count('Rows with warnings only.', 1),
    errors: Count('Rows that cannot become posts as they are.', 1),
    skipped: Count('Rows that somebody left out.'),
    written: Count('Rows that are posts.'),
    undone: Count('Rows whose posts were deleted again.'),
    kept: Count('Rows whose posts were not deleted, because they were published.'),
  },
  { description: 'Numbers of rows by their state.' },
)

export const PostImport = Type.Object(
  {
    id: idOf('import'),
    name: Type.String({ maxLength: 200, description: 'Name of the file.', examples: ['march.csv'] }),
    status: Type.Enum([...importStates], {
      type: 'string',
      description:
        '`mapping`: something in `needs` is missing. `checking`: rows are checked. `ready`: waits for the confirmation. `writing`: posts are created. `undoing`: they are deleted again.',
    }),
    format: Type.Enum([...importFormats], { type: 'string', description: 'The tool whose columns the file has.' }),
    encoding: Type.Enum([...encodings, 'xlsx'], { type: 'string', description: 'Encoding of the text.' }),
    delimiter: nullable(Type.String({ maxLength: 1, description: 'Character between cells.', examples: [';'] })),
    has_header: Type.Boolean({ description: 'Whether the first row names the columns.', examples: [true] }),
    columns: Type.Array(Column, { maxItems: MAX_COLUMNS }),
    needs: Type.Array(Type.Enum(['text', 'date_order', 'accounts'], { type: 'string' }), {
      maxItems: 3,
      description: 'Decisions that are missing before rows can be checked: a column, the order of dates, or accounts.',
      examples: [[]],
    }),
    date_order: DateOrder,
    suggested_date_order: { ...DateOrder, description: 'Order that the language of the workspace suggests.' },
    ambiguous_dates: Type.Array(
      Type.Object({
        value: Type.String({ maxLength: 40, examples: ['05/11/2026'] }),
        day_first: nullable(Type.String({ maxLength: 10, examples: ['2026-11-05'] })),
        month_first: nullable(Type.String({ maxLength: 10, examples: ['2026-05-11'] })),
      }),
      { maxItems: 3, description: 'Dates of the file, read in both orders. Empty when it is clear.', examples: [[]] },
    ),
    timezone: Zone,
    account_ids: AccountIds,
    account_names: AccountNames,
    unknown_accounts: Type.Array(Type.String({ maxLength: 300 }), {
      maxItems: 50,
      description: 'Names of the file that are no account, or those of several.',
      examples: [[]],
    }),
    counts: Counts,
    problems: Type.Array(ProblemCount, {
      maxItems: 200,
      description: 'Problems by column and code, the most frequent first. Empty before all rows are checked.',
      examples: [[]],
    }),
    written_as: nullable(
      Type.Enum([...importStatuses], { type: 'string', description: 'Status with which the rows were confirmed.' }),
    ),
    to_write: Count('Rows that were confirmed.', 58),
    confirmed_at: nullable(Type.Unsafe<Date>({ ...Time, description: 'Time of the confirmation.' })),
    undo_until: nullable(
      Type.Unsafe<Date>({ ...Time, description: 'Time until which the import can be undone. Null when it cannot be.' }),
    ),
    expires_at: Type.Unsafe<Date>({ ...Time, description: 'Time at which the import is erased. Its posts stay.' }),
    created_by: nullable(idOf('user', 'Id of the user who uploaded the file.')),
    created_at: Time,
    updated_at: Time,
  },
  { title: 'PostImport' },
)

export const ListedImport = Type.Object(
  {
    id: PostImport.properties.id,
    name: PostImport.properties.name,
    status: PostImport.properties.status,
    created_by: PostImport.properties.created_by,
    created_at: Time,
    expires_at: PostImport.properties.expires_at,
  },
  { title: 'ListedImport' },
)

const RowPost = Type.Object(
  {
    content: Type.String({ maxLength: 262_144 }),
    account_ids: AccountIds,
    scheduled_at: nullable(
      Type.Unsafe<string>({ ...TimeText, description: 'Planned time. Null for a draft without one.' }),
    ),
    first_comment: nullable(Type.String({ maxLength: 262_144 })),
    labels: Type.Array(Type.String({ maxLength: 262_144 }), { maxItems: 100_000, examples: [['spring']] }),
    media_ids: Type.Array(idOf('media'), { maxItems: 10_000, examples: [[]] }),
    media_urls: Type.Array(
      Type.Object({ url: Type.String({ maxLength: 2000 }), alt: nullable(Type.String({ maxLength: 262_144 })) }),
      { maxItems: 10_000, description: 'Files that are fetched after the confirmation.', examples: [[]] },
    ),
    status: nullable(
      Type.Enum([...importStatuses], { type: 'string', description: 'Status that the row asks for itself.' }),
    ),
  },
  { description: 'The post that the row becomes.' },
)

export const ImportRow = Type.Object(
  {
    row: Count('Number of the row, from 1, without the header.', 7),
    line: Count('Line of the file at which the row begins.', 8),
    state: Type.Enum([...rowStates], {
      type: 'string',
      description: 'State of the row. `kept`: its post was published and was not deleted.',
    }),
    cells: Type.Array(Cell, { maxItems: MAX_COLUMNS, description: 'The cells as they are in the file.' }),
    problems: Type.Array(RowProblem, { maxItems: 50, examples: [[]] }),
    post: nullable(RowPost),
    post_id: nullable(idOf('post', 'Id of the post that the row became.')),
  },
  { title: 'ImportRow' },
)

export const ImportRowQuery = Closed({
  ...PageQuery,
  state: Type.Optional(Type.Enum([...rowStates], { type: 'string', description: 'Returns only rows in this state.' })),
  field: Type.Optional({ ...Field, description: 'Returns only rows with a problem of this field.' }),
})

export const ChangeImport = Closed(
  {
    fields: Type.Optional(Type.Array(Field, { maxItems: MAX_COLUMNS, description: 'The field of each column.' })),
    date_order: Type.Optional(DateOrder),
    timezone: Type.Optional(Zone),
    account_ids: Type.Optional(AccountIds),
    account_names: Type.Optional(AccountNames),
  },
  { title: 'ChangeImport', minProperties: 1 },
)

export const ChangeImportRow = Closed(
  {
    cells: Type.Optional(
      Type.Array(Cell, {
        maxItems: MAX_COLUMNS,
        description: 'All cells of the row.',
        examples: [['Simit', '2026-03-28']],
      }),
    ),
    skip: Type.Optional(Type.Boolean({ description: 'Leaves the row out, or takes it again.', examples: [true] })),
  },
  { title: 'ChangeImportRow', minProperties: 1 },
)

export const ConfirmImport = Closed(
  {
    only: Type.Enum(['ok', 'all'], {
      type: 'string',
      description: 'Rows without a problem, or also those with warnings. Rows with errors never become posts.',
    }),
    as: Type.Enum([...importStatuses], {
      type: 'string',
      description:
        'Status of the rows that name none themselves. `draft`: drafts without a time. `review`: posts in review with their planned time. `scheduled`: posts with a time, in review where a policy asks for it.',
    }),
  },
  { title: 'ConfirmImport' },
)

export const importRowParams = Closed({
  id: idOf('import'),
  row: Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Number of the row.', examples: [7] }),
})

export const TemplateQuery = Closed({
  language: Type.Optional(
    Type.Enum(['en', 'tr'], { type: 'string', description: 'Language of the columns and the samples. Default: `en`.' }),
  ),
  separator: Separator,
})

export const ExportPostsQuery = Closed({
  separator: Separator,
  from: Type.Optional(
    Type.String({ ...InputTime, description: 'Returns only posts whose time is at or after this one.' }),
  ),
  to: Type.Optional(Type.String({ ...InputTime, description: 'Returns only posts whose time is before this one.' })),
})
