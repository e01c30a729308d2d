import { strToU8, type Zippable, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { testApp } from '../../../../../test/app.ts'
import { expectStatus, playgroundAccount, withWorkspace } from '../../../../../test/factories.ts'
import { checkedImport, rowsOf, sendImport } from '../../../../../test/imports.ts'
import { expectProblem } from '../../../../../test/problem.ts'

const t = await testApp()
const owner = await withWorkspace(t)
const account = await playgroundAccount(owner)
const { handle } = expectStatus(await owner.get(`/api/v1/accounts/${account}`), 200).body

const year = t.clock.now().getUTCFullYear() + 1
/** The number by which Excel stores a day. */
const serial = (date: string) => (Date.parse(`${date}T00:00:00Z`) - Date.UTC(1899, 11, 30)) / 86_400_000

const SHEET = 'xl/worksheets/sheet7.xml'
const cell = (at: string, value: string | number, style = 0) =>
  typeof value === 'number'
    ? `<c r="${at}" s="${style}"><v>${value}</v></c>`
    : `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`
const sheetOf = (...rows: string[]) =>
  `<?xml version="1.0"?><worksheet xmlns="x"><sheetData>${rows
    .map((cells, index) => `<row r="${index + 1}">${cells}</row>`)
    .join('')}</sheetData></worksheet>`
/** A workbook whose first sheet is in a file with another number. */
const workbook = (sheet: string, more: Zippable = {}) =>
  zipSync({
    'xl/workbook.xml': strToU8('<workbook><sheets><sheet name="March" r:id="rId9"/></sheets></workbook>'),
    'xl/_rels/workbook.xml.rels': strToU8(
      '<Relationships><Relationship Id="rId9" Target="worksheets/sheet7.xml"/></Relationships>',
    ),
    'xl/styles.xml': strToU8(
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy\\ hh:mm"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="20"/><xf numFmtId="164"/></cellXfs></styleSheet>',
    ),
    'xl/sharedStrings.xml': strToU8(
      '<sst><si><t>Şekerli</t></si><si><r><t>ince </t></r><r><t>belli &amp; çay</t></r></si></sst>',
    ),
    [SHEET]: strToU8(sheet),
    ...more,
  })

test('201 reads the first sheet with its dates, times and shared texts', async () => {
  const header = ['date', 'time', 'accounts', 'text'].map((name, index) => cell(`${'ABCD'[index]}1`, name)).join('')
  const day = serial(`${year}-03-05`)
  const rows = [
    `${cell('A2', day, 1) + cell('B2', 0.375, 2) + cell('C2', handle)}<c r="D2" t="s"><v>1</v></c>`,
    `${cell('A3', day + 0.729_166_666_666_7, 3) + cell('C3', handle)}<c r="D3" t="s"><v>0</v></c>`,
    '',
    `${cell('C5', handle)}<c r="D5" t="str"><f>A1&amp;"x"</f><v>=1+1</v></c>`,
  ]
  const record = await checkedImport(t, owner, workbook(sheetOf(header, ...rows)))
  expect(record).toMatchObject({ encoding: 'xlsx', delimiter: null, status: 'ready', counts: { rows: 3, ok: 3 } })
  expect((await rowsOf(owner, record.id)).map(({ line, post }) => [line, post.content, post.scheduled_at])).toEqual([
    [2, 'ince belli & çay', `${year}-03-05T06:00:00.000Z`],
    [3, 'Şekerli', `${year}-03-05T14:30:00.000Z`],
    [5, '=1+1', null],
  ])
})

test.each(['Infinity', '1e308', '3000000000', '0', '-1', '1.5'])(
  '201 counts the rows itself where one has the number %s',
  async (number) => {
    const sheet = `<worksheet><sheetData><row r="${number}">${cell('A1', 'text')}</row><row r="${number}">${cell('A2', 'tea')}</row></sheetData></worksheet>`
    const { id } = await checkedImport(t, owner, workbook(sheet), [['account_ids', account]])
    expect(await rowsOf(owner, id)).toMatchObject([{ line: 2, post: { content: 'tea' } }])
  },
)

test('201 reads numbers as Excel shows them, and those of many digits as they are', async () => {
  const numbers = ['4.3499999999999996', '0.30000000000000004', '-1234.0999999999999', '12345678901234567', '299.9']
  const rows = numbers.map((number, index) => `<c r="A${index + 2}"><v>${number}</v></c>`)
  const { id } = await checkedImport(t, owner, workbook(sheetOf(cell('A1', 'text'), ...rows)), [
    ['account_ids', account],
  ])
  const texts = (await rowsOf(owner, id)).map(({ post }) => post.content)
  expect(texts).toEqual(['4.35', '0.3', '-1234.1', '12345678901234567', '299.9'])
})

test('422 for a workbook that becomes far larger when it is unpacked', async () => {
  const bomb = workbook(sheetOf(cell('A1', 'text')), { 'xl/sharedStrings.xml': new Uint8Array(200_000_000) })
  expect(bomb.length).toBeLessThan(1_000_000)
  expectProblem(await sendImport(owner, bomb, [], 'bomb.xlsx'), 422, 'file_damaged')
})

test('422 for what is no workbook, is cut, or has a cell far to the right; 413 for too many rows', async () => {
  expectProblem(await sendImport(owner, zipSync({ 'a.txt': strToU8('x') })), 422, 'file_damaged')
  expectProblem(await sendImport(owner, workbook(sheetOf(cell('A1', 'text'))).subarray(0, 300)), 422, 'file_damaged')
  expectProblem(await sendImport(owner, workbook(sheetOf(cell('XFD1', 'text')))), 422, 'file_damaged')
  const many = Array.from({ length: 5002 }, (_, index) => cell(`A${index + 1}`, 'text'))
  expectProblem(await sendImport(owner, workbook(sheetOf(...many))), 413, 'file_too_large')
})

test('413 for a small workbook whose cells share a long text', async () => {
  const rows = Array.from({ length: 1000 }, (_, index) => `<c r="A${index + 1}" t="s"><v>0</v></c>`)
  const strings = strToU8(`<sst><si><t>${'a'.repeat(200_000)}</t></si></sst>`)
  const file = workbook(sheetOf(...rows), { 'xl/sharedStrings.xml': strings })
  expect(file.length).toBeLessThan(50_000)
  expectProblem(await sendImport(owner, file), 413, 'file_too_large')
})

test('201 leaves entities of a document type alone', async () => {
  const evil = `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b SYSTEM "file:///etc/passwd">]>${sheetOf(cell('A1', 'text'), cell('A2', '&amp;a; &b;'))}`
  const { id } = await checkedImport(t, owner, workbook(evil), [['account_ids', account]])
  expect((await rowsOf(owner, id))[0].post.content).toBe('&a; &b;')
})
