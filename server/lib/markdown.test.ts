import { describe, expect, test } from 'vitest'
import { renderMarkdown } from './markdown.ts'

const render = (text: string) => renderMarkdown(text, (href) => href)
const htmlOf = (text: string) => render(text).html

describe('renderMarkdown', () => {
  test('renderMarkdown escapes all HTML in the text, so that the result has only its own tags', () => {
    const attack = '<script>alert("1")</script>'
    for (const text of [
      attack,
      `# ${attack}`,
      `## T\n\n## ${attack}`,
      `- ${attack}`,
      `| ${attack} |\n|---|\n| ${attack} |`,
      `\`${attack}\``,
      `**${attack}**`,
      `\`\`\`${attack}\n${attack}\n\`\`\``,
      `[${attack}](x)`,
    ])
      expect(htmlOf(text)).not.toContain('<script')
    expect(htmlOf('[x]("onclick="alert(1)")')).not.toContain('"onclick')
    expect(htmlOf('[x](JavaScript:alert)')).toBe('<p><a href="#">x</a></p>')
  })

  test('entities of the text are kept, and code is shown as it is', () => {
    expect(htmlOf('Sender <a@b> &lt;a@b> AT&T `&lt;`')).toBe(
      '<p>Sender &lt;a@b&gt; &lt;a@b&gt; AT&amp;T <code>&amp;lt;</code></p>',
    )
  })

  test('the first heading is the title, and sections have the ids that GitHub gives them', () => {
    const { title, html, sections } = render('# Set up `x`\n\n## Which key, and why?\n\n### Deep\n\n## Deep\n\n# More')
    expect(title).toBe('Set up x')
    expect(sections).toEqual([
      { id: 'which-key-and-why', title: 'Which key, and why?' },
      { id: 'deep-1', title: 'Deep' },
      { id: 'more', title: 'More' },
    ])
    expect(html).toContain('<h1>Set up <code>x</code></h1>')
    expect(html).toContain('<h3 id="deep"><a href="#deep">Deep</a></h3>')
    expect(html).toContain('<h2 id="more">')
  })

  test('paragraphs and items continue over several lines, and a list ends where another block begins', () => {
    expect(htmlOf('One\ntwo\n- a\n  b\n- c\n\n1. d\n2. e\nAfter')).toBe(
      '<p>One\ntwo</p>\n<ul>\n<li>a\nb</li>\n<li>c</li>\n</ul>\n<ol>\n<li>d</li>\n<li>e\nAfter</li>\n</ol>',
    )
  })

  test('a table has a header, and cells may hold escaped pipes', () => {
    expect(htmlOf('| | B |\n|---|---|\n| `x\\|y` | **z** |')).toBe(
      '<div class="scroll" tabindex="0"><table>\n<thead><tr><td></td><th>B</th></tr></thead>\n<tbody>\n' +
        '<tr><td><code>x|y</code></td><td><strong>z</strong></td></tr>\n</tbody></table></div>',
    )
  })

  test('links lead where the page resolves them, also around code', () => {
    const { html } = renderMarkdown('[`GET /x`](ai.md#credits), *soon*', (href) => `/guides/${href}`)
    expect(html).toBe('<p><a href="/guides/ai.md#credits"><code>GET /x</code></a>, <em>soon</em></p>')
  })
})
