import { Type } from 'typebox'
import { declareEvents } from '../../../lib/events/event-type.ts'
import { Count, idOf, nullable } from '../../../lib/http/schema/schema.ts'
import { By, exampleBy } from '../../auth/event-actor.ts'
import { PostImport } from './imports.schema.ts'

export const importEvents = declareEvents({
  'import.completed': {
    description: 'The rows of a confirmed import became posts. Each of them also has its own `post.created`.',
    data: Type.Object({
      import_id: idOf('import'),
      name: PostImport.properties.name,
      posts: Count('Number of posts.', 58),
      refused: Count('Number of confirmed rows that could not become posts.', 2),
      by: nullable(By),
    }),
    example: {
      import_id: '01994f31-7c2e-7a40-8d15-6b9e0f3a2c47',
      name: 'march.csv',
      posts: 58,
      refused: 2,
      by: exampleBy,
    },
  },
})
