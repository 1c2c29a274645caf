import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { contentFaults, readContentFault } from '@emma/contract/content-faults.ts'
import { compileContent } from '@emma/mail/template/compile-content.ts'
import type { Module } from '@emma/mail/template/modules.ts'
import { ContentError } from '@emma/mail/template/template-error.ts'
import { expect, test } from 'vitest'

/** Every sentence in the compiler of mails, which knows no contract, with a word for each value. */
const folder = join(import.meta.dirname, '..', '..', '..', 'mail', 'src', 'template')
const sentences = globSync('*.ts', { cwd: folder })
  .filter(path => !path.includes('.test.'))
  .flatMap(path => {
    const source = readFileSync(join(folder, path), 'utf8')
      .replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
      // A hint that may follow is told apart from what it follows.
      .replaceAll(/\$\{(?:hint\([^\n`]*?\)|near === null \? '' : `[^`]*`)\}/g, '')
      .replaceAll(/\$\{[^{}]*\}/g, 'Name')
    return [...source.matchAll(/'((?:[^'\\\n]|\\.)+[.?])'|`([^`]+[.?])`/g)].map(([, plain, filled]) => ({
      path,
      sentence: plain ?? filled ?? '',
    }))
  })
  // `${path} ${fault}.` is put together; those are compiled below.
  .filter(({ sentence }) => /^["<{A-Z]\S* /.test(sentence) && sentence !== 'Name Name.')

test('R316 everything the compiler says of a content is in the list that the console has words for', () => {
  expect(sentences.length).toBeGreaterThan(60)
  expect(sentences.filter(({ sentence }) => readContentFault(sentence) === null)).toEqual([])
})

test('R316 the list has nothing that nobody says', async () => {
  const names = [
    'member.nobody',
    'campaign.nobody',
    'client.nobody',
    'data.nobody',
    'link.nobody',
    'member.firstnam',
  ]
  const html = names.map(name => `{{ ${name} }}`).join(' ')
  const unsubscribe = '<a href="{{ link.unsubscribe }}">Unsubscribe</a>'
  const modules: Module[] = [{ name: 'bad', type: 'text', body: { en: '{% if %}' } }]
  const said = [
    ...sentences.map(({ sentence }) => sentence),
    ...(await saidOf({ html })),
    ...(await saidOf({ html: unsubscribe, text: 'Hello' })),
    ...(await saidOf({ html: '{{ module.bad }}', modules })),
  ]
  const codes = new Set(said.map(sentence => readContentFault(sentence)?.code ?? sentence))
  expect([...codes].toSorted()).toEqual(Object.keys(contentFaults).toSorted())
})

async function saidOf(parts: { html: string; text?: string; modules?: Module[] }): Promise<string[]> {
  try {
    const { warnings } = await compileContent({
      subject: 'Hello',
      preheader: '',
      text: '',
      modules: [],
      known: { member: ['firstname'], campaign: ['id'], client: ['name'], data: ['order'] },
      trackingBase: 'https://track.test',
      isTracked: false,
      links: [],
      language: 'en',
      ...parts,
    })
    return warnings.map(({ message }) => message)
  } catch (error) {
    if (error instanceof ContentError) return error.errors.map(({ message }) => message)
    throw error
  }
}
