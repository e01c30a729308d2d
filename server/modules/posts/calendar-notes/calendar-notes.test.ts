import { describe, expect, test } from 'vitest'
import { DAY } from '../../../../shared/time.ts'
import { testApp } from '../../../../test/app.ts'
import { atOnce } from '../../../../test/at-once.ts'
import { newCalendarNote } from '../../../../test/calendar.ts'
import { expectStatus, memberOf, withWorkspace } from '../../../../test/factories.ts'
import { expectProblem } from '../../../../test/problem.ts'

const t = await testApp()
const owner = await withWorkspace(t)

const path = '/api/v1/calendar-notes'
const created = async (more: object = {}) => expectStatus(await owner.post(path, newCalendarNote(more)), 201).body
const audited = async (id: string) =>
  (await owner.get('/api/v1/workspace/audit-log?limit=100')).body.data
    .filter(({ target_id }: { target_id: string }) => target_id === id)
    .map(({ action }: { action: string }) => action)

describe('calendar notes', () => {
  test('are created, read, changed and deleted, each with an audit entry', async () => {
    const { id } = await created({ day: '2026-12-01', text: ' Campaign ' })
    const read = expectStatus(await owner.get(`${path}/${id}`), 200).body
    expect(read).toMatchObject({ day: '2026-12-01', text: 'Campaign', created_by: owner.id, version: 1 })
    const moved = expectStatus(await owner.patch(`${path}/${id}`, { day: '2026-12-02' }), 200).body
    expect(moved).toMatchObject({ day: '2026-12-02', text: 'Campaign', version: 2 })
    expect(expectStatus(await owner.patch(`${path}/${id}`, { text: 'Campaign' }), 200).body).toEqual(moved)
    expectStatus(await owner.delete(`${path}/${id}`), 204)
    expectProblem(await owner.get(`${path}/${id}`), 404, 'not_found')
    expect(await audited(id)).toEqual(['calendar_note.deleted', 'calendar_note.changed', 'calendar_note.created'])
  })

  test('are listed by day, from the first day and before the last', async () => {
    const other = await withWorkspace(t)
    expectStatus(await other.post(path, { day: '2027-03-02', text: 'Theirs' }), 201)
    for (const [day, text] of [
      ['2027-03-31', 'Last'],
      ['2027-03-01', 'First'],
      ['2027-03-01', 'Second'],
      ['2027-04-01', 'After'],
      ['2027-02-28', 'Before'],
    ])
      await created({ day, text })
    const { data } = expectStatus(await owner.get(`${path}?from=2027-03-01&to=2027-04-01`), 200).body
    expect(data.map(({ text }: { text: string }) => text)).toEqual(['First', 'Second', 'Last'])
    expect((await owner.get(`${path}?from=2027-03-01&to=2027-03-01`)).body.data).toEqual([])
    expect((await owner.get(`${path}?from=9999-12-15`)).body.data).toEqual([])
    const soon = await created({ day: new Date(t.clock.now().getTime() + 30 * DAY).toISOString().slice(0, 10) })
    expect((await owner.get(path)).body.data).toEqual([soon])
  })

  test('400 for a day that does not exist and a span that is too long or ends before it begins', async () => {
    for (const [query, pointer] of [
      ['from=2026-02-30&to=2026-03-01', '/from'],
      ['from=2026-03-01&to=2026-13-01', '/to'],
      ['from=2026-03-02&to=2026-03-01', '/to'],
      ['from=2026-01-01&to=2026-04-12', '/to'],
    ]) {
      const { body } = await owner.get(`${path}?${query}`)
      expect(body).toMatchObject({ status: 400, errors: [{ pointer }] })
    }
    for (const call of [
      owner.post(path, { day: '2026-02-29', text: 'Leap' }),
      owner.post(path, { day: '1', text: 'A' }),
    ])
      expect((await call).body).toMatchObject({ status: 400, errors: [{ pointer: '/day' }] })
    const { id } = await created()
    expect((await owner.patch(`${path}/${id}`, { day: '2026-04-31' })).body).toMatchObject({ status: 400 })
  })

  test('a day takes 20, also at once and by moving', async () => {
    const day = '2028-02-29'
    const responses = await atOnce(23, () => owner.post(path, newCalendarNote({ day })))
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(20)
    for (const response of responses.filter(({ status }) => status !== 201))
      expectProblem(response, 403, 'limit_exceeded')
    const { id } = await created({ day: '2028-03-01' })
    expectProblem(await owner.patch(`${path}/${id}`, { day }), 403, 'limit_exceeded')
  })

  test('a change with the ETag of an older version is refused', async () => {
    const { id } = await created()
    const { headers } = await owner.get(`${path}/${id}`)
    const etag = { 'if-match': String(headers.get('etag')) }
    expectStatus(await owner.patch(`${path}/${id}`, { text: 'One' }, etag), 200)
    expectProblem(await owner.patch(`${path}/${id}`, { text: 'Two' }, etag), 412, 'version_conflict')
  })

  test('are read by viewers and written by authors', async () => {
    const { id } = await created({ day: '2029-01-01' })
    const viewer = await memberOf(t, owner.workspace_id, 'viewer')
    expectStatus(await viewer.get(`${path}?from=2029-01-01&to=2029-01-02`), 200)
    expectProblem(await viewer.post(path, newCalendarNote()), 403, 'forbidden_role')
    expectProblem(await viewer.delete(`${path}/${id}`), 403, 'forbidden_role')
    const author = await memberOf(t, owner.workspace_id, 'author')
    expectStatus(await author.patch(`${path}/${id}`, { text: 'Changed' }), 200)
    expectStatus(await author.delete(`${path}/${id}`), 204)
  })
})
