import { inspect } from 'node:util'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { expectStatus, signedIn } from '../../../test/factories.ts'
import { optionCalls } from '../../../test/options.ts'
import { addKey } from '../../lib/crypto/keyring.ts'
import { reEncrypt } from '../../lib/crypto/re-encrypt.ts'
import { inTransaction } from '../../lib/db/database.ts'
import { sealedColumns } from '../../lifecycle.ts'
import { readModelKeys, setModelKey } from './secrets.ts'

const t = await testApp({
  SMTP_URL: 'smtp://meydan:a-long-password@mail.example.com:2525',
  MAIL_FROM: 'post@example.com',
})
const root = await signedIn(t, { instanceAdmin: true })

const { setOption, read, rowOf, changes, lastChange, withOption, newModel } = optionCalls(() => ({ t, root }))

describe('secret options', () => {
  const KEY = 'sk-proj-0123456789abcdef'

  test('a secret is stored encrypted, never returned, and identified by its last four characters if it is long enough', async () => {
    const before = (await changes()).length
    await withOption('openai_api_key', `  ${KEY}\n`, async () => {
      const option = await read('openai_api_key')
      expect(option).toMatchObject({ value: { set: true, last4: 'cdef' }, default: { set: false }, source: 'override' })
      const list = (await root.get('/api/v1/options')).body
      expect(JSON.stringify([option, list])).not.toContain(KEY.slice(0, -4))
      const row = await rowOf('openai_api_key')
      expect(row).toMatchObject({ value: null, secret: expect.stringMatching(/^v1\./), last4: 'cdef' })
      expect(await t.deps.options.secret('openai_api_key')).toBe(KEY)
      expect((await lastChange())?.details).toEqual({
        before: { value: { set: false, last4: null }, source: 'default' },
        after: { value: { set: true, last4: 'cdef' }, source: 'override' },
      })
      const { rows } = await sql<{ dump: string }>`select audit_entry::text as dump from audit_entry`.execute(t.deps.db)
      expect(rows.filter(({ dump }) => dump.includes(KEY))).toEqual([])
      expectStatus(await setOption('openai_api_key', KEY), 200)
      expect(await rowOf('openai_api_key')).toEqual(row)
      expect(await changes()).toHaveLength(before + 1)
    })
    expect(await t.deps.options.secret('openai_api_key')).toBeUndefined()
    await withOption('openai_api_key', 'short', async () =>
      expect((await read('openai_api_key')).value).toEqual({ set: true, last4: null }),
    )
  })

  test('a secret cannot be moved to another row', async () => {
    await withOption('openai_api_key', KEY, () =>
      withOption('mistral_api_key', 'another-key-altogether', async () => {
        const { secret } = (await rowOf('openai_api_key')) ?? {}
        await t.deps.db
          .updateTable('option')
          .set({ secret: secret ?? null })
          .where('key', '=', 'mistral_api_key')
          .execute()
        await inTransaction(t.deps.db, (tx) => t.deps.invalidationBus.invalidate(tx, 'options'))
        await expect(t.deps.options.secret('mistral_api_key')).rejects.toThrow()
      }),
    )
  })

  test('a secret is encrypted again when the key is rotated', async () => {
    const { deps } = t
    await withOption('anthropic_api_key', KEY, async () => {
      const key = { purpose: 'encryption', stage: deps.timings.keyStage } as const
      await addKey(deps.db, deps.invalidationBus, 'a secret key for tests, long enough', key)
      await sql`update keyring set active_at = clock_timestamp()`.execute(deps.db)
      await deps.keyring.refresh()
      expect(sealedColumns).toContainEqual(['option', 'secret'])
      await reEncrypt(deps.db, deps.keyring, ['option', 'secret'])
      const { id } = deps.keyring.current('encryption')
      expect((await rowOf('anthropic_api_key'))?.secret).toMatch(new RegExp(`^v1\\.${id}\\.`))
      await inTransaction(deps.db, (tx) => deps.invalidationBus.invalidate(tx, 'options'))
      expect(await deps.options.secret('anthropic_api_key')).toBe(KEY)
    })
  })

  test('a secret from the environment is not returned either', async () => {
    await withOption('mail.smtp_url', 'smtp://agora:another-password@other.example.com', async () => {
      const option = await read('mail.smtp_url')
      expect(option).toMatchObject({
        value: { set: true, last4: '.com' },
        default: { set: true, last4: '2525' },
        environment: { key: 'SMTP_URL', is_set: true },
      })
      expect(inspect(option)).not.toMatch(/(a-long|another)-password/)
    })
    expect(await t.deps.options.secret('mail.smtp_url')).toMatch(/a-long-password/)
  })
})

describe('the key of a model as an option', () => {
  test("setModelKey sets and removes the key in the caller's transaction and returns what may be shown of it", async () => {
    const { id, key } = await newModel()
    const set = (value: string | null) => inTransaction(t.deps.db, (tx) => setModelKey(t.deps, tx, id, value))
    const none = { set: false, last4: null }
    const given = { set: true, last4: '6789' }
    expect(await set('key of a model 6789')).toEqual({ before: none, after: given })
    expect(await readModelKeys(t.deps.db, [id, id + 1])).toEqual(new Map([[id, given]]))
    expect(await t.deps.options.secret(`ai-model-${id}_api-key`)).toBe('key of a model 6789')
    expect(await read(key)).toMatchObject({ value: given })
    expect(await set(null)).toEqual({ before: given, after: none })
    expect(await set(null)).toEqual({ before: none, after: none })
    expect(await readModelKeys(t.deps.db, [id])).toEqual(new Map())
    expect(await t.deps.options.secret(`ai-model-${id}_api-key`)).toBeUndefined()
  })

  test('a rolled back change of a key is never visible', async () => {
    const { id } = await newModel()
    const undone = inTransaction(t.deps.db, async (tx) => {
      await setModelKey(t.deps, tx, id, 'a key that goes')
      expect(await t.deps.options.isSet(`ai-model-${id}_api-key`, tx)).toBeTypeOf('boolean')
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await t.deps.options.isSet(`ai-model-${id}_api-key`)).toBe(false)
  })

  test('deleting a model while its key is set leaves no key behind', async () => {
    for (let round = 0; round < 10; round++) {
      const { id, key } = await newModel()
      const deletion = inTransaction(t.deps.db, async (tx) => {
        await tx.deleteFrom('ai_model').where('id', '=', id).execute()
        await setModelKey(t.deps, tx, id, null)
      })
      const [response] = await Promise.all([setOption(key, 'key-of-a-model'), deletion])
      expect([200, 404]).toContain(response.status)
      expect(await rowOf(key)).toBeUndefined()
    }
  })
})
