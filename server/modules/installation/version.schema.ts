import { Type } from 'typebox'
import { Count, nullable } from '../../lib/http/schema/schema.ts'

const Release = (description: string, example: string) =>
  Type.String({ maxLength: 40, description, examples: [example] })

export const Version = Type.Object(
  {
    version: Release('Version of Meydan on the node that responds.', '0.1.0'),
    commit: Type.Unsafe<string | null>({
      ...nullable(Type.String({ pattern: '^[0-9a-f]{40,64}$', maxLength: 64 })),
      description: 'Commit of its source. Null if it is not known, as in an image.',
      examples: ['9520c6fbd84f2a3e1f0c6b7a5d4e3f2a1b0c9d8e'],
    }),
    schema: Count('Number of the newest migration of this version.', 114),
    node: Release('Version of Node.', '24.21.0'),
    postgres: Release('Version of PostgreSQL.', '18.4'),
    database_schema: Count(
      'Number of the newest migration of the database. Greater than `schema` after a newer version has migrated it.',
      114,
    ),
  },
  { title: 'Version' },
)
