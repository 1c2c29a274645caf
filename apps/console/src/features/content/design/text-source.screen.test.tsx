import { expect, test } from 'vitest'
import { placeholderHtml, showEditable } from './text-source.ts'

/** Spellings that a browser would write in another way. */
const spellings = [
  'Plain text',
  'Fish &amp; chips &copy; &nbsp;2026 &#8212; <br/>next',
  "<a href='{{ link.unsubscribe }}' class=x>Leave</a> or <B>stay</B>",
  'Hello {{ member.firstname | default: "there" }},{% if member.city == "Berlin" %} in Berlin{% endif %}!',
  '<p>One</p>\r\n  <p style="color:RED">Two <img src=a.png alt=""></p>',
  '<!-- note --><span>a</span><!--[if mso]><i>b</i><![endif]-->',
  '<a href="{{ member.url | default: "https://a.test/?x=1&y=2" }}">quotes in Liquid</a>',
]

test.each(spellings)('text that is not changed keeps its source: %s', source => {
  const root = document.createElement('div')
  expect(showEditable(root, source)?.source()).toBe(source)
})

test('only what was typed changes, beside placeholders, entities and attributes', () => {
  const root = document.createElement('div')
  const text = showEditable(
    root,
    'Fish &copy; <a href=x>link</a> {{ member.firstname | default: "you" }} &copy; end',
  )
  const end = root.lastChild
  if (end) end.textContent = ' new & end'
  expect(text?.source()).toBe(
    'Fish &copy; <a href=x>link</a> {{ member.firstname | default: "you" }} new &amp; end',
  )
})

test('placeholders inside of changed elements and attributes keep their source', () => {
  const root = document.createElement('div')
  const text = showEditable(
    root,
    '<p>Hi {{ member.a | default: "<b>" }} <a href="{{ x | default: "y" }}">z</a></p>',
  )
  root.querySelector('a')?.append('!')
  expect(text?.source()).toBe(
    '<p>Hi {{ member.a | default: "<b>" }} <a href="{{ x | default: "y" }}">z!</a></p>',
  )
})

test('an inserted placeholder becomes Liquid', () => {
  const root = document.createElement('div')
  const text = showEditable(root, 'Hello ')
  const holder = document.createElement('div')
  holder.innerHTML = placeholderHtml('{{ member.firstname | default: "" }}')
  root.append(...holder.childNodes)
  expect(root.textContent).toBe('Hello member.firstname')
  expect(text?.source()).toBe('Hello {{ member.firstname | default: "" }}')
})
