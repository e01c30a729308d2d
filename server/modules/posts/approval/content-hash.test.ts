import { expect, test } from 'vitest'
import { testApp } from '../../../../test/app.ts'

const t = await testApp()

test('every column of a post, a target and a file is in the hash of the content, or readers do not see it', async () => {
  const outside: Record<string, string[]> = {
    post: [
      // Columns that tell whose post it is and which, and notes of the team.
      ...['id', 'workspace_id', 'author_id', 'updated_by_id', 'labels', 'agent_run_id', 'agent_position'],
      ...['recurring_post_id', 'search_text', 'warnings', 'created_at', 'updated_at', 'deleted_at', 'version'],
      ...['created_from', 'created_by_token', 'created_in'],
      // Its time and state.
      ...[
        'status',
        'is_idea',
        'scheduled_at',
        'queued_for',
        'counted_in',
        'held',
        'published_at',
        'unpublishing_until',
      ],
      ...[
        'review',
        'review_reason',
        'review_scheduled_at',
        'review_missed_for',
        'review_missed_mail',
        'approved_content',
        'approved_policies',
      ],
    ],
    post_target: [
      ...['id', 'post_id', 'position', 'status', 'steps', 'attempt_id', 'attempt_key', 'attempts', 'attempted_at'],
      ...['error_code', 'error_message', 'needs_resolution', 'published_parts', 'published_at', 'external_id', 'url'],
    ],
    media: [
      // A file never changes: another one has another id.
      ...['workspace_id', 'uploaded_by_id', 'mime', 'extension', 'bytes', 'width', 'height', 'duration_s', 'sha256'],
      ...[
        'opaque',
        'labels',
        'kind',
        'thumbnail_bytes',
        'created_at',
        'updated_at',
        'deleted_at',
        'version',
        'search_text',
        'placeholder',
      ],
    ],
  }
  const inside: Record<string, string[]> = {
    post: ['content', 'media_ids', 'thread', 'first_comment'],
    post_target: ['account_id', 'content', 'media_ids', 'thread', 'first_comment', 'options'],
    media: ['id', 'alt', 'name'],
  }
  const tables = await t.deps.db.introspection.getTables()
  for (const [table, columns] of Object.entries(inside)) {
    const all = tables.find(({ name }) => name === table)?.columns.map(({ name }) => name) ?? []
    const known = new Set([...columns, ...(outside[table] ?? [])])
    expect({ table, unlisted: all.filter((name) => !known.has(name)) }).toEqual({ table, unlisted: [] })
  }
})
