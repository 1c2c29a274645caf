import { expect, test } from 'vitest'
import { plainText, renderMarkdown } from './render-markdown.ts'

test('R236 Markdown and simple HTML become sanitized HTML', () => {
  expect(renderMarkdown('**Tonight** <em>from</em> 8')).toBe(
    '<p><strong>Tonight</strong> <em>from</em> 8</p>\n',
  )
  expect(renderMarkdown('# Title')).toBe('<h2>Title</h2>\n')
  expect(renderMarkdown('a | b\n--|--\n1 | 2')).toContain('<td>1</td>')
})

test.each([
  ['<script>alert(1)</script>', /script|alert/],
  ['<img src=x onerror=alert(1)>', /onerror|alert/],
  ['<a href="javascript:alert(1)">x</a>', /javascript/],
  ['[x](javascript:alert(1))', /href/],
  ['<iframe src="https://evil.example"></iframe>', /iframe/],
  ['<form action="/x"><input name="password"></form>', /form|input/],
  ['<p style="position:fixed">x</p>', /style/],
  ['<svg><script>alert(1)</script></svg>', /svg|script/],
  ['<img src="data:text/html,<script>alert(1)</script>">', /data:/],
  ['<a href="//evil.example">x</a>', /evil/],
])('R236 R304 removes dangerous content: %s', (source, forbidden) => {
  expect(renderMarkdown(source)).not.toMatch(forbidden)
})

test('R304 external links open in a new window, internal ones do not', () => {
  expect(renderMarkdown('[a](https://example.com)')).toContain('target="_blank" rel="noopener noreferrer"')
  expect(renderMarkdown('[a](/help/1)')).toBe('<p><a href="/help/1">a</a></p>\n')
})

test('R304 plain text preserves the content of tags', () => {
  expect(plainText('<p>A &amp; B</p>\n<p>2 &lt; 3</p>')).toBe('A & B 2 < 3')
})
