import { expect, test } from 'vitest'
import { parsePart } from './parse-part.ts'
import { findUnclosed } from './unclosed-components.ts'

function mail(content: string): string {
  return `<mjml><mj-body>\n<mj-section><mj-column>\n${content}\n</mj-column></mj-section></mj-body></mjml>`
}

function unclosed(source: string): string[] {
  const parsed = parsePart('html', source)
  if (!('pieces' in parsed)) throw parsed[0]
  return findUnclosed(source, parsed).map(({ line, message }) => `${line} ${message}`)
}

test.each([
  ['a text before another one', mail('<mj-text>One\n<mj-text>Two</mj-text>'), '3', 'mj-text'],
  ['the last text of a column', mail('<mj-text>One</mj-text>\n<mj-button href="#">Go'), '4', 'mj-button'],
  ['a value', mail('<mj-text>One</mj-text>\n<mj-text color="red>Two</mj-text>'), '2', 'mj-column'],
  ['a comment', mail('<!-- <mj-text>One</mj-text>'), '2', 'mj-column'],
  ['a mail that was cut off', mail('<mj-text>One').split('\n</mj-column>')[0] ?? '', '3', 'mj-text'],
  ['a mail that ends in a tag', '<mjml>\n<mj-body>\n<mj-section', '2', 'mj-body'],
])('%s without end is an error at its line', (_, source, line, tag) => {
  expect(unclosed(source)).toEqual([`${line} <${tag}> is never closed: </${tag}> is missing.`])
})

test.each([
  '<mjml><mj-body><mj-section><mj-column><mj-text>One</mj-text></mj-section></mj-body></mjml>',
  mail('<mj-text>One</mj-text></mj-text><mj-image src="x" alt="">'),
  mail('<mj-raw><!--[if mso]><mj-x><![endif]--></mj-raw><mj-text>{% if member.a %}<b>{% endif %}</mj-text>'),
  mail('<mj-image src="x" /><mj-text>One</mj-text\n>'),
])('components that end with the one around them are none: %s', source => {
  expect(unclosed(source)).toEqual([])
})

test('errors are bounded', () => {
  expect(unclosed(mail('<mj-text>x'.repeat(5_000)))).toHaveLength(20)
})
