import { expect, it } from 'vitest'
import { renderSegments } from '../segments.ts'
import { compileLanguages, LanguageError, type LanguageSource } from './compile-languages.ts'
import type { ContentSource } from './content-source.ts'

const link = (url: string) => `<a href="${url}">shop</a>`
const source: ContentSource = {
  subject: 'News',
  preheader: '',
  html: `<p>Hello {{ member.firstname }} ${link('https://shop.example/')} ${link('https://shop.example/en')}</p><a href="{{ link.unsubscribe }}">Unsubscribe</a>`,
  text: '',
  modules: [{ name: 'imprint', type: 'text', body: { en: 'Imprint', de: 'Impressum' } }],
  known: { member: ['firstname', 'lastname'], campaign: [], client: [] },
  trackingBase: 'https://t.sender.test',
  isTracked: true,
  language: 'en',
}
const german: LanguageSource = {
  language: 'de',
  subject: 'Neues für {{ member.lastname }}',
  preheader: '',
  html: `<p>Hallo {{ module.imprint }} ${link('https://shop.example/de')} ${link('https://shop.example/')}</p><a href="{{ link.unsubscribe }}">Abmelden</a>`,
  text: '',
}
const data = {
  member: { firstname: 'Ann', lastname: 'Lee' },
  campaign: {},
  client: {},
  token: 't',
  pageToken: 'p',
}

it('links of all languages are numbered together, and the same URL is one link', async () => {
  const { content, others, links } = await compileLanguages(source, [german])
  expect(links.map(({ index, url }) => [index, url])).toEqual([
    [0, 'https://shop.example/'],
    [1, 'https://shop.example/en'],
    [2, 'https://shop.example/de'],
  ])
  const clicks = (html: string) => [...html.matchAll(/\/c\/t\/(\d+)/g)].map(([, index]) => index)
  expect(clicks(renderSegments(content.html, data))).toEqual(['0', '1'])
  const inGerman = others.get('de')
  expect(clicks(renderSegments(inGerman?.html ?? [], data))).toEqual(['2', '0'])
  expect(clicks(renderSegments(inGerman?.text ?? [], data))).toEqual(['2', '0'])
  expect((await compileLanguages({ ...source, links }, [german])).links).toEqual(links)
})

it('placeholders are those of the language', async () => {
  const { others } = await compileLanguages(source, [german])
  expect(renderSegments(others.get('de')?.html ?? [], data)).toContain('Hallo Impressum')
  expect(renderSegments(others.get('de')?.subject ?? [], data)).toBe('Neues für Lee')
})

it('findings and faults name their language', async () => {
  const { warnings } = await compileLanguages(source, [
    { ...german, subject: '', html: '<p>{{ member.nobody }}</p>' },
  ])
  expect(warnings).toContainEqual(
    expect.objectContaining({ code: 'no-unsubscribe', severity: 'error', reason: 'content.in_language' }),
  )
  const failed = compileLanguages(source, [{ ...german, html: '<p>{{ module.nothing }}</p>' }])
  await expect(failed).rejects.toBeInstanceOf(LanguageError)
  await expect(failed).rejects.toMatchObject({
    language: 'de',
    errors: [{ part: 'html', line: 1, fault: { code: 'content.in_language', values: { language: 'de' } } }],
  })
})
