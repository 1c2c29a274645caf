import { compileContent } from '@emma/mail/template/compile-content.ts'
import { parseTemplate } from '@emma/mail/edit/parse-template.ts'
import { expect, test } from 'vitest'
import { faultOfWarning } from '../templates/template-faults.ts'
import { placeFaults } from './place-faults.ts'

async function placed(source: string): Promise<string[]> {
  const isMjml = source.startsWith('<mjml')
  const { warnings } = await compileContent({
    subject: 'S',
    preheader: '',
    html: isMjml ? '' : source,
    ...(isMjml ? { mjml: source } : {}),
    text: '',
    modules: [],
    known: { member: [] },
    trackingBase: 'https://t.example',
    isTracked: false,
  })
  const tree = parseTemplate(source)
  if (tree.type === 'code') throw new Error('code only')
  const faults = warnings.map(warning => faultOfWarning(warning, isMjml))
  const places = placeFaults(tree, faults)
  return faults
    .filter(({ reason }) => reason !== 'content.no_unsubscribe' && reason !== 'content.no_imprint')
    .map(fault => {
      const node = places.get(fault)?.node
      return node ? source.slice(node.range.from, node.range.from + 12) : fault.message
    })
    .toSorted((a, b) => a.localeCompare(b))
}

const parts = {
  image: 'src="https://a.example/b.png"',
  link: 'href="http://a.example/"',
}

test('faults of the campaign check are found in MJML', async () => {
  const text = `<mj-text color="#cccccc"><h1>a</h1><h3>b</h3><a ${parts.link}>c</a><a href="">d</a></mj-text>`
  const column = `<mj-column><mj-image ${parts.image} />${text}</mj-column>`
  expect(await placed(`<mjml><mj-body><mj-section>${column}</mj-section></mj-body></mjml>`)).toEqual([
    '<mj-image sr',
    ...Array.from({ length: 4 }, () => '<mj-text col'),
  ])
})

test('faults of the campaign check are found in HTML', async () => {
  const source = `<h1>a</h1><h3>b</h3><img ${parts.image}><a ${parts.link}>c</a><a href="">d</a><p style="color:#ccc;background:#fff">e</p>`
  expect(await placed(source)).toEqual([
    '<a href="">d',
    '<a href="htt',
    '<h3>b</h3><i',
    '<img src="ht',
    '<p style="co',
  ])
})
