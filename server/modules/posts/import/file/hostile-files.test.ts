import { beforeAll, describe, expect, test } from 'vitest'
import { testApp } from '../../../../../test/app.ts'
import {
  expectStatus,
  openSession,
  playgroundAccount,
  type WorkspaceOwner,
  withWorkspace,
} from '../../../../../test/factories.ts'
import { checkedImport, confirmed, rowsOf, sendImport } from '../../../../../test/imports.ts'
import { expectProblem } from '../../../../../test/problem.ts'

const t = await testApp()
let owner: WorkspaceOwner
let account: string
beforeAll(async () => {
  owner = await withWorkspace(t)
  account = await playgroundAccount(owner)
})
const fresh = async () => {
  owner = await withWorkspace(t)
  account = await playgroundAccount(owner)
}
const year = t.clock.now().getUTCFullYear() + 1
const send = (file: string | Uint8Array) => sendImport(owner, file, [['account_ids', account]])
const checked = (file: string | Uint8Array) => checkedImport(t, owner, file, [['account_ids', account]])
const textsOf = async (file: string | Uint8Array) => {
  const { id } = await checked(file)
  return (await rowsOf(owner, id)).map(({ post }) => post?.content)
}

describe('encodings', () => {
  const table = 'Metin;Etiket\r\nŞekerli çay, iğde;ılık\r\n'
  const utf16 = Buffer.from(table, 'utf16le')
  const turkish = Buffer.from(
    [...table].map((letter) => ({ Ş: 0xde, ğ: 0xf0, ı: 0xfd, ç: 0xe7 })[letter] ?? letter.charCodeAt(0)),
  )
  test.each([
    ['UTF-8', Buffer.from(table), 'utf-8'],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${table}`), 'utf-8'],
    ['UTF-16', utf16, 'utf-16le'],
    ['UTF-16 with a byte order mark', Buffer.from(`\ufeff${table}`, 'utf16le'), 'utf-16le'],
    ['UTF-16, big end first', Buffer.from(`\ufeff${table}`, 'utf16le').swap16(), 'utf-16be'],
    ['windows-1254', turkish, 'windows-1254'],
  ])('201 reads %s and says so', async (_, bytes, encoding) => {
    const record = await checked(bytes)
    expect(record).toMatchObject({ encoding, delimiter: ';', counts: { ok: 1 } })
    expect((await rowsOf(owner, record.id))[0].post).toMatchObject({ content: 'Şekerli çay, iğde', labels: ['ılık'] })
  })

  test('201 takes the encoding that it is told', async () => {
    const sent = await sendImport(owner, turkish, [
      ['account_ids', account],
      ['encoding', 'windows-1252'],
    ])
    expect(expectStatus(sent, 201).body).toMatchObject({ encoding: 'windows-1252' })
    expectProblem(await sendImport(owner, turkish, [['encoding', 'ebcdic']]), 400, 'validation_failed', '/encoding')
  })
})

describe('tables', () => {
  beforeAll(fresh)
  test('201 finds the separator, also where texts have others', async () => {
    expect(await textsOf('text;labels\nBir, iki, üç;a\n"Dört; beş";b\n')).toEqual(['Bir, iki, üç', 'Dört; beş'])
    expect(await textsOf('sep=|\ntext|labels\nBir; iki|a\n')).toEqual(['Bir; iki'])
    expect(await textsOf('text\tlabels\rBir, iki\ta\rÜç\tb\r')).toEqual(['Bir, iki', 'Üç'])
  })

  test('201 keeps formulas as texts, and exports rows with errors without them', async () => {
    const formulas = ['=HYPERLINK("http://evil.example","x")', '+1', '-1', '@SUM(1)', '\t=1+1']
    const cells = formulas.map((text) => `"${text.replaceAll('"', '""')}"`)
    const { id } = await checked(
      `text,date,time\n${cells.map((cell) => `${cell},,`).join('\n')}\n${cells[0]},nonsense,09:00\n`,
    )
    const rows = await rowsOf(owner, id)
    expect(rows.map(({ post }) => post.content)).toEqual([...formulas.map((text) => text.trim()), formulas[0]])
    const { body, headers } = await owner.get(`/api/v1/imports/${id}/errors.csv`)
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(body.split('\r\n').slice(0, 2)).toEqual([
      'text,date,time,row,line,errors',
      `"'=HYPERLINK(""http://evil.example"",""x"")",nonsense,09:00,6,7,${rows[5].problems[0].message}`,
    ])
    expect((await confirmed(t, owner, id)).counts.written).toBe(5)
  })

  test('201 marks a row whose quotation marks do not match, and reads the next ones', async () => {
    const table = `text,labels\nOne,a\nTwo 6'5" tall,b\n"Three,c\nFour,d\n"Five ""quoted""\nin two lines",e\n`
    const { id } = await checked(table)
    const rows = await rowsOf(owner, id)
    expect(rows.map(({ line, state }) => [line, state])).toEqual([
      ...[
        [2, 'ok'],
        [3, 'error'],
        [4, 'error'],
      ],
      ...[
        [5, 'ok'],
        [6, 'ok'],
      ],
    ])
    expect(rows[1]).toMatchObject({ cells: [`Two 6'5" tall,b`], problems: [{ code: 'invalid' }] })
    expect(rows[4].post.content).toBe('Five "quoted"\nin two lines')
  })

  test('201 cuts a faulty row and a long name between characters', async () => {
    const { id } = await checked(`text,accounts\nOk,\nLong,${'n'.repeat(5000)}\n"a${'😀'.repeat(1500)}\n`)
    const rows = await rowsOf(owner, id)
    expect(rows.map(({ state }) => state)).toEqual(['ok', 'error', 'error'])
    expect(rows[1].problems[0].message.length).toBeLessThan(200)
    expect(rows[2].cells[0].isWellFormed()).toBe(true)
  })

  test('201 counts many errors by column and code, and lists them in pages', async () => {
    const lines = Array.from({ length: 700 }, (_, index) => `Text ${index},${year}-13-0${index % 9}`)
    const { id, counts, problems } = await checked(`text,date\n${lines.join('\n')}\n`)
    expect(counts).toMatchObject({ rows: 700, errors: 700 })
    expect(problems).toEqual([{ severity: 'error', field: 'date', column: 1, code: 'invalid', count: 700 }])
    const page = expectStatus(await owner.get(`/api/v1/imports/${id}/rows?state=error&field=date&limit=100`), 200).body
    expect([page.data.length, page.data[99].row]).toEqual([100, 100])
    expect(await rowsOf(owner, id, '&state=ok')).toEqual([])
    expect((await owner.get(`/api/v1/imports/${id}/errors.csv`)).body.split('\r\n').length).toBe(702)
  })

  test('201 marks a NUL, and a row with more cells than there are columns', async () => {
    const { id } = await checked(`text,labels\nA\0B,x\nOne,two,three\n${'x,'.repeat(10_000)}\n__proto__,constructor\n`)
    const rows = await rowsOf(owner, id)
    expect(rows.map(({ state }) => state)).toEqual(['error', 'error', 'error', 'ok'])
    expect(rows[2].cells.length).toBe(120)
  })
})

describe('files that are refused', () => {
  beforeAll(fresh)
  test('422 for 10,000 columns', async () => {
    const { detail } = expectProblem(await send(`text${',x'.repeat(9999)}\n`), 422, 'file_damaged')
    expect(detail).toContain('10000')
  })

  test('413 for 5,001 rows', async () => {
    expectProblem(await send(`text\n${'One\n'.repeat(5001)}`), 413, 'file_too_large')
  })

  test('413 for 100 MB, of which 20 are read', async () => {
    expectProblem(await send(Buffer.alloc(100 * 1024 * 1024, 'a,b\n')), 413, 'file_too_large')
    // Without a length in its head.
    const chunk = Buffer.alloc(1024 * 1024, 'a,b\n')
    async function* endless() {
      yield Buffer.from('--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\n')
      for (let sent = 0; sent < 100; sent++) yield chunk
      yield Buffer.from('\r\n--x--\r\n')
    }
    const response = await fetch(`${t.url}/api/v1/imports`, {
      ...{ method: 'POST', body: ReadableStream.from(endless()), duplex: 'half' as const },
      headers: { ...(await openSession(t, owner.id)), 'content-type': 'multipart/form-data; boundary=x' },
    }).catch((error: Error) => error)
    // The connection may be closed while the rest is sent.
    if (response instanceof Response) expect(response.status).toBe(413)
    else expect(response.message).toMatch(/fetch failed/)
  })

  test('422 for a quotation mark in every row that is never closed', async () => {
    const open = `"${'never closed '.repeat(30)}\n`
    expectProblem(await send(`text,labels\n${open.repeat(2001)}`), 422, 'file_damaged')
  })

  test('201 with one error for 300 KB behind a quotation mark that is never closed', async () => {
    const { counts } = await checked(`text,labels\n"never closed\n${'One,a\n'.repeat(4000)}`)
    expect(counts).toEqual(expect.objectContaining({ rows: 4001, errors: 1, ok: 4000 }))
  })

  test.each([
    ['an empty file', '', 422],
    ['a file of empty rows', ',,,\n\n,,\n', 422],
    ['an image', Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]), 415],
    ['an Excel file of before 2007', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1]), 415],
    ['a PDF', '%PDF-1.7', 415],
  ])('a 4xx for %s', async (_, bytes, status) => {
    expect((await send(bytes)).status).toBe(status)
  })

  test('400 without a file, 415 without a form', async () => {
    expectProblem(await sendImport(owner, 'text\nOne\n', [['file', 'x']]), 400, 'validation_failed', '/file')
    expectProblem(await owner.post('/api/v1/imports', {}), 415, 'unsupported_media_type')
  })
})
