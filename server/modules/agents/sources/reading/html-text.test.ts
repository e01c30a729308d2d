import { expect, test } from 'vitest'
import { textOfHtml } from './html-text.ts'

test.each([
  '<p style="font-size:14px">shown</p>',
  '<p><span style="font-size: large;">shown</span></p>',
  '<div style="opacity:1">shown</div>',
  '<p style="display:block;border:none">shown</p>',
  '<a href="/x" style="display:block;text-decoration:none">shown</a>',
  '<div style="visibility:visible;overflow:hidden">shown</div>',
  '<p style="text-indent:0">shown</p>',
  '<p style="font-size:0.9em">shown</p>',
  '<p style="height:0">shown</p>',
  '<p style="position:absolute;left:0">shown</p>',
  '<form method="post"><p>shown</p></form>',
  '<article><header><h1>shown</h1></header></article>',
])('a text that a style does not hide is kept: %s', (html) => {
  expect(textOfHtml(html)).toBe('shown')
})

test.each([
  'display:none',
  'DISPLAY : none !important',
  'visibility:hidden',
  'opacity:0',
  'opacity: .0',
  'opacity:0%',
  'font-size:0',
  'font-size:0.1px',
  'text-indent:-9999px',
  'position:absolute;left:-9999px',
  'height:0;overflow:hidden',
  'clip:rect(0,0,0,0)',
  'clip-path: inset(50%)',
  'transform: scale(0)',
])('a text that a style hides is dropped: %s', (style) => {
  expect(textOfHtml(`<p style="${style}">hidden <b>too</b></p><p>shown</p>`)).toBe('shown')
})

test('the navigation, the header and the scripts of a page are dropped', () => {
  const html =
    '<header>Site</header><nav>Menu</nav><main>shown</main><script>x()</script><p hidden>y</p><footer>Z</footer>'
  expect(textOfHtml(html)).toBe('shown')
})

test('cells, rows, terms and their descriptions stay apart', () => {
  const table = '<table><tr><th>Ürün</th><th>Fiyat</th></tr><tr>\n<td>Simit 10</td>\n<td>15 TL</td></tr></table>'
  expect(textOfHtml(table)).toBe('Ürün | Fiyat\nSimit 10 | 15 TL')
  expect(textOfHtml('<dl><dt>Poğaça 2</dt><dd>12 TL</dd><dt>Ayran</dt><dd>18 TL</dd></dl>')).toBe(
    'Poğaça 2\n12 TL\nAyran\n18 TL',
  )
})

test('what is nested too deeply is not read', () => {
  expect(textOfHtml(`<p>shown</p>${'<b>'.repeat(300_000)}deep`)).toBe('shown')
})
