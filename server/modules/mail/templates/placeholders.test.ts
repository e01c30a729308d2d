import { describe, expect, test } from 'vitest'
import { mailKeys, variablesOf } from './catalogue.ts'
import { compile, lookup, ownText, render, textOf } from './render.ts'

const html = (body_html: string, values: Record<string, string> = {}) =>
  render(compile({ key: 'own-key', subject: 'x', body_html, body_text: null }), values).body_html
const refusal = (body_html: string) => {
  try {
    html(body_html)
  } catch (error) {
    return String((error as { options?: { errors?: { message: string }[] } }).options?.errors?.[0]?.message)
  }
  throw new Error(`not refused: ${body_html}`)
}

const EVIL = `"'><script>alert(1)</script>&amp;{{code}}\r\nBcc: eve@evil.example`
const ESCAPED = `&quot;&#39;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;{{code}}\r\nBcc: eve@evil.example`

describe('placeholders in HTML', () => {
  test('the value of a placeholder is escaped, inserted once, and not read as a placeholder', () => {
    expect(html('<p title="{{ x }}">{{x}}</p>', { x: EVIL })).toBe(`<p title="${ESCAPED}">${ESCAPED}</p>`)
    expect(html("<title>{{x}}</title><p title='{{x}}'>a < b {{x}} }}</p>", { x: '<' })).toBe(
      "<title>&lt;</title><p title='&lt;'>a < b &lt; }}</p>",
    )
  })

  test('the names of built-in properties are ordinary variables', () => {
    expect(html('{{constructor}}{{tostring}}<a href="https://x.example/{{constructor}}">', {})).toBe(
      '<a href="https://x.example/">',
    )
    expect(html('a{{x}}b')).toBe('ab')
  })

  test.each([
    ['a tag', '<{{x}}>'],
    ['an end tag', '<p></{{x}}p></p {{x}}>'],
    ['the name of a tag', '<p{{x}}>'],
    ['the name of an attribute', '<p {{x}}="1">'],
    ['text that may become a tag', 'a <{{x}} b'],
    ['text that may become an end tag', '<title>a </ti{{x}}>'],
    ['a tag that never ends', '<p title="1" {{x}}'],
  ])('a placeholder is refused in %s', (_, text) => {
    expect(refusal(text)).toContain('{{x}} is inside a tag')
  })

  test.each(['<p title={{x}}>', '<p title= a{{x}}>', '<a href=https://a.example/{{x}}>'])(
    'a placeholder is refused in an attribute without quotes: %s',
    (text) => {
      expect(refusal(text)).toMatch(/must be in quotes/)
    },
  )

  test.each([
    '<style>{{x}}</style>',
    '<STYLE>a{}{{x}}',
    '<script>{{x}}</script>',
    '<script><!--<script></script>{{x}}',
    '<noscript>{{x}}</noscript>',
    '<p style="color:{{x}}">',
    '<p onclick="{{x}}">',
    '<iframe srcdoc="{{x}}">',
    '<img srcset="{{x}}">',
    '<meta http-equiv="refresh" content="0;url={{x}}">',
    '<a href="javascript:{{x}}">',
    '<svg><a><animate attributeName="href" to="{{x}}">',
    '<object><param name="src" value="{{x}}">',
  ])('a placeholder is refused where its value could act as code: %s', (text) => {
    expect(refusal(text)).toMatch(/could act as code|is in <style>/)
  })

  test.each(['<!-- {{x}} -->', '<!--[if mso]>{{x}}<![endif]-->', '<!doctype {{x}}>', '<?{{x}}>', '</ {{x}}>'])(
    'a placeholder is refused in a comment or declaration: %s',
    (text) => {
      expect(refusal(text)).toContain('comment or a declaration')
    },
  )

  test.each([
    ['<!--> {{x}} <p title="-->', '<!--> 1 <p title="-->'],
    ['<!-- <b --> {{x}}', '<!-- <b --> 1'],
    ['<!-- --!> {{x}}', '<!-- --!> 1'],
    ['<style>a{b:c}@media x{y{z:1}}</style>{{x}}', '<style>a{b:c}@media x{y{z:1}}</style>1'],
    ['<p title="<style>">{{x}}', '<p title="<style>">1'],
    ['<p title=">" lang=tr>{{x}}', '<p title=">" lang=tr>1'],
    ['<br/>{{x}}<3{{x}}', '<br/>1<31'],
  ])('HTML is parsed as a browser parses it: %s', (text, expected) => {
    expect(html(text, { x: '1' })).toBe(expected)
  })

  test.each([
    ['{{{x}}}', /the form \{\{name\}\}/],
    ['{{{{x}}}}', /the form/],
    ['{{#if x}}', /This is not one: \{\{#if x\}\}/],
    ['{{&x}}', /not one/],
    ['{{X}}', /not one/],
    ['{{x', /not one/],
    ['{{}}', /not one/],
    ['{{constructor.name}}', /not one/],
  ])('syntax other than {{name}} is refused: %s', (text, message) => {
    expect(refusal(text)).toMatch(message)
  })
})

describe('placeholders in URLs', () => {
  test('a URL may begin with a placeholder whose name ends in _url, and the value is dropped unless it is a web address', () => {
    const link = '<a href="{{page_url}}">x</a>'
    expect(html(link, { page_url: 'https://a.example/?b=1&c="' })).toBe(
      '<a href="https://a.example/?b=1&amp;c=&quot;">x</a>',
    )
    for (const page_url of ['javascript:alert(1)', ' https://a', 'data:text/html,x', '//a', ''])
      expect(html(link, { page_url })).toBe('<a href="">x</a>')
    expect(refusal('<a href="{{x}}">')).toContain('Only variables whose names end in _url')
    expect(refusal('<img src=" {{x}}">')).toContain('_url')
  })

  test('a placeholder after the host is encoded as one part of the path or query, and refused in the host', () => {
    expect(html('<a href="https://a.example/{{x}}?q={{x}}">', { x: '../&<a b>#' })).toBe(
      '<a href="https://a.example/..%2F%26%3Ca%20b%3E%23?q=..%2F%26%3Ca%20b%3E%23">',
    )
    expect(html('<a href="{{app_url}}/w/{{x}}">', { app_url: 'https://a.example', x: '@b' })).toBe(
      '<a href="https://a.example/w/%40b">',
    )
    for (const text of ['https://{{x}}/', '//{{x}}', 'https:{{x}}', '{{app_url}}{{x}}', '{{app_url}}.{{x}}/'])
      expect(refusal(`<a href="${text}">`)).toContain('in the host of a URL')
  })
})

test.each([
  '<a href="java&#115;cript:{{x}}">',
  '<a href="java\tscript:{{x}}">',
  '<a href="\\\\{{x}}">',
  '<a href="https:\\\\{{x}}/">',
  '<a href="https:&#47;&#47;{{x}}/">',
  '<a href="https://&#101;vil.{{x}}/">',
  '<a href="{{app_url}}&#46;{{x}}/">',
])('a placeholder is refused in a URL that clients may parse in different ways: %s', (text) => {
  expect(refusal(text)).toContain('Write the beginning of the URL plainly')
})

test('a placeholder is accepted after character references in the path or query', () => {
  expect(html('<a href="https://a.example/?a=1&amp;b={{x}}"><a href="/?a&amp;b={{x}}">', { x: 'c' })).toBe(
    '<a href="https://a.example/?a=1&amp;b=c"><a href="/?a&amp;b=c">',
  )
})

test.each([
  '<noscript><style></noscript>{{x}}</style>',
  '<svg><style><style></style>{{x}}</style></svg>',
  '<svg><title><style>{{x}}</style></title></svg>',
  '<svg><title><script>{{x}}</script></title></svg>',
])('a placeholder is refused in an element that some parsers read as a style or a script: %s', (text) => {
  expect(refusal(text)).toContain('could act as code')
})

test('a text of only tags or braces is checked quickly', () => {
  const bad = [
    '<b>'.repeat(33_000) + '</p>'.repeat(25_000),
    '<b>'.repeat(66_000),
    '<ol><li>x'.repeat(22_000),
    `<a href="${'a'.repeat(190_000)}${'{{x}}'.repeat(499)}">`,
    '{{ '.repeat(66_000),
    `{{${' '.repeat(199_000)}`,
    `${'<b>'.repeat(4_900)}${'</p>'.repeat(4_900)}`,
  ]
  for (const text of bad) {
    const before = process.cpuUsage()
    try {
      html(text)
    } catch {}
    const { user, system } = process.cpuUsage(before)
    expect({ text: text.slice(0, 9), ms: Math.floor((user + system) / 500_000) }).toEqual({
      text: text.slice(0, 9),
      ms: 0,
    })
  }
  expect(refusal('<b>'.repeat(33_000) + '</p>'.repeat(25_000))).toContain('more than 10000 tags')
})

describe('the subject and the plain text', () => {
  test('a subject stays one line, whatever the values are', () => {
    const subject = (x: string) =>
      render(compile({ key: 'own-key', subject: 'Hi {{x}}', body_html: 'x', body_text: null }), { x }).subject
    expect(subject('a\r\nBcc: eve@evil.example\u2028b\u0000')).toBe('Hi a Bcc: eve@evil.example b ')
    expect(subject('<b>')).toBe('Hi <b>')
    expect(subject('😀'.repeat(1000)).isWellFormed()).toBe(true)
    expect(subject('a'.repeat(10_000))).toHaveLength(500)
  })

  test('the plain text is derived from the HTML when none is given, and keeps only its placeholders', () => {
    const made = render(
      compile({
        key: 'own-key',
        subject: 'x',
        body_html:
          '<style>p{}</style><h1>Hello {{name}}</h1><p>{<b></b>{other}} &lt;{{name}}&gt; <a href="{{page_url}}">go</a></p><p>{{page_url}}</p>',
        body_text: null,
      }),
      { name: '<Ada>', other: 'no', page_url: 'https://a.example/' },
    ).body_text
    expect(made).toBe('Hello <Ada>\n\n{{other}} <<Ada>> go [https://a.example/]\n\nhttps://a.example/\n')
    expect(textOf(`${'<div>'.repeat(5000)}deep`)).toBeTypeOf('string')
  })

  test('an unknown variable is named in the error together with the variables of the key', () => {
    const bad = () =>
      compile({ key: 'signup-otp', subject: '{{cod}}', body_html: '{{reset_url}}', body_text: '{{code}}' })
    expect(bad).toThrow(
      expect.objectContaining({
        options: expect.objectContaining({
          errors: [
            {
              pointer: '/subject',
              code: 'invalid',
              message: expect.stringMatching(/no variable \{\{cod\}\}.*user_name, code/),
            },
            { pointer: '/body_html', code: 'invalid', message: expect.stringContaining('{{reset_url}}') },
          ],
        }),
      }),
    )
  })
})

describe('the built-in texts', () => {
  test.each(mailKeys.flatMap((key) => (['en', 'tr'] as const).map((language) => [key, language] as const)))(
    '%s in %s uses each of its variables and keeps the rules of templates',
    (key, language) => {
      const text = ownText(key, language)
      const { names } = compile({ key, ...text })
      const values = Object.fromEntries([...names].map((name) => [name, `https://x.example/${name}`]))
      const { body_html, body_text, subject } = render(compile({ key, ...text }), values)
      for (const { name } of variablesOf(key) ?? []) {
        expect([...names]).toContain(name)
        expect(body_html).toContain(`/${name}`)
        expect(body_text).toContain(`/${name}`)
      }
      expect(`${subject}${body_html}${body_text}`).not.toContain('{{')
      expect(body_html).toMatch(new RegExp(`<html lang="${language}">`))
      expect(body_html).toContain('prefers-color-scheme:dark')
      expect(body_html).toContain('name="color-scheme"')
      // The URL of a button is repeated as text below it.
      for (const [, address] of body_html.matchAll(/href="([^"]*)"/g))
        expect(body_html.split(address ?? '').length).toBeGreaterThanOrEqual(4)
      // Gmail cuts mails longer than 102 KB.
      expect(body_html.length).toBeLessThan(20_000)
    },
  )

  test('texts are looked up from the exact language to the default one', () => {
    expect(lookup('tr-TR')).toEqual(['tr-TR', 'tr', 'default'])
    expect(lookup('zh-hant-tw')).toEqual(['zh-Hant-TW', 'zh-Hant', 'zh', 'default'])
    expect(lookup('not a tag')).toEqual(['default'])
    expect(lookup('default')).toEqual(['default'])
  })
})
