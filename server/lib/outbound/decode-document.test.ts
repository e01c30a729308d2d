import { expect, test } from 'vitest'
import { decodeDocument } from './decode-document.ts'

const LETTERS = 'İğne – şık çanta'
/** The bytes of these letters in windows-1254. */
const turkish = Buffer.from('dd f0 6e 65 20 96 20 fe fd 6b 20 e7 61 6e 74 61'.replaceAll(' ', ''), 'hex')
const page = (head: string, letters: Buffer) => Buffer.concat([Buffer.from(`<html><head>${head}`), letters])
const feed = (declaration: string, letters: Buffer) =>
  Buffer.concat([Buffer.from(`<?xml ${declaration}?><rss>`), letters])
const utf8 = Buffer.from(LETTERS)
const utf16 = Buffer.from(`\ufeff${LETTERS}`, 'utf16le')

test.each([
  ['a header', page('', turkish), 'text/html; charset=windows-1254'],
  ['a header with quotation marks', page('', turkish), 'text/html; charset="windows-1254"'],
  ['<meta charset>', page('<meta charset="windows-1254">', turkish), 'text/html'],
  ['http-equiv', page('<meta http-equiv="Content-Type" content="text/html; charset=windows-1254">', turkish), null],
  ['<meta> after 1,200 bytes', page(`<!--${'x'.repeat(1200)}--><meta charset="windows-1254">`, turkish), null],
  ['<meta> behind a comment', page('<!-- charset=utf-16 --><meta charset="iso-8859-9">', turkish), null],
  ['iso-8859-9', page('', turkish), 'text/html; charset=iso-8859-9'],
  ['an XML declaration', feed('version="1.0" encoding="windows-1254"', turkish), 'application/xml'],
  ['an XML declaration with spaces', feed("version = '1.0' encoding = 'windows-1254'", turkish), null],
  ['UTF-8 that is said to be iso-8859-9', feed('version="1.0" encoding="iso-8859-9"', utf8), null],
  ['UTF-8 with a header of us-ascii', page('', utf8), 'text/html; charset=us-ascii'],
  ['windows-1254 with a header of utf-8', page('', turkish), 'text/html; charset=utf-8'],
  ['nothing', page('', turkish), null],
  ['an unknown charset', page('', turkish), 'text/html; charset=none-such'],
  [
    'a byte order mark against a header',
    Buffer.concat([Buffer.from('\ufeff'), utf8]),
    'text/html; charset=windows-1254',
  ],
  ['UTF-16 with a byte order mark and no header', utf16, null],
  ['UTF-16 by its header', utf16.subarray(2), 'text/html; charset=utf-16le'],
])('the letters of a document are read by %s', (_, bytes, contentType) => {
  expect(decodeDocument(bytes, contentType)).toContain(LETTERS)
})
