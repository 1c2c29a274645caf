import { parseTemplate } from '@emma/mail/edit/parse-template.ts'
import { applyPatch } from '@emma/mail/edit/patch.ts'
import { expect, test } from 'vitest'
import { type ImageFile, showImage, withImage } from './image-source.ts'

const photo: ImageFile = { url: 'https://f.test/a.jpg', alt: 'A "red" cup', width: 1200, height: 800 }

function shown(source: string, name: string, file = photo, attribute = 'src'): string {
  const tree = parseTemplate(source)
  if (tree.type === 'code') throw new Error(tree.reason.message)
  const node = tree.nodes.find(one => one.type === 'element' && one.name === name)
  if (node?.type !== 'element') throw new Error(`There is no ${name}`)
  return applyPatch(source, showImage(tree, node, attribute, file))
}

const mjml = (image: string) => `<mjml><mj-body>\r\n  ${image} &nbsp;\r\n</mj-body></mjml>`

test.each([
  [
    `<mj-image src='old.png'  alt="x" />`,
    `<mj-image src='https://f.test/a.jpg'  alt="A &quot;red&quot; cup" />`,
  ],
  [
    '<mj-image src="" width="240px" height="10px" alt="" />',
    '<mj-image src="https://f.test/a.jpg" width="240px" height="160px" alt="A &quot;red&quot; cup" />',
  ],
])(
  'an image of MJML gets source, alternative text and size, and nothing else changes: %s',
  (before, after) => {
    expect(shown(mjml(before), 'mj-image')).toBe(mjml(after))
  },
)

test('an image is not shown wider than it is', () => {
  const small = { ...photo, alt: null, width: 120, height: 60 }
  expect(shown(mjml('<mj-image src="" alt="kept" />'), 'mj-image', small)).toBe(
    mjml('<mj-image src="https://f.test/a.jpg" alt="kept" width="120px" />'),
  )
  expect(shown('<p><img src=a.png width=300 height=200></p>', 'img', small)).toBe(
    '<p><img src=https://f.test/a.jpg width=120 height=60></p>',
  )
})

test('widths in percent or Liquid are kept, and a background changes its URL alone', () => {
  const liquid = '<img src="a.png" width="{{ member.width }}" height="90">'
  expect(shown(liquid, 'img', { ...photo, alt: null })).toBe(liquid.replace('a.png', 'https://f.test/a.jpg'))
  expect(shown(mjml('<mj-section></mj-section>'), 'mj-section', photo, 'background-url')).toBe(
    mjml('<mj-section background-url="https://f.test/a.jpg"></mj-section>'),
  )
})

test('a new block shows the file', () => {
  expect(withImage('<mj-image src="" alt="" />', 'mjml', photo)).toBe(
    '<mj-image src="https://f.test/a.jpg" alt="A &quot;red&quot; cup" />',
  )
})
