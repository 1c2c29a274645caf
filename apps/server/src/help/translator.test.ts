import { createServer, type RequestListener, type Server } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { createTranslator } from './translator.ts'

const said = { en: { 'a.save': 'Save', 'a.hello': 'Hello {{name}}' }, de: { 'a.save': 'Speichern' }, es: {} }
const texts = async (language: 'en' | 'de' | 'es') => new Map(Object.entries(said[language]))
const alone = createTranslator(texts, { translateUrl: undefined, translateKey: undefined })

let server: Server | undefined
afterEach(() => server?.close())

async function serviceThat(answer: RequestListener): Promise<string> {
  const started = createServer(answer)
  server = started
  await new Promise<void>(resolve => started.listen(0, '127.0.0.1', resolve))
  const address = started.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

test('R303 the console’s texts are the memory, with a glossary of terms', async () => {
  expect(await alone({ source: 'de', target: 'en', text: 'Speichern' })).toEqual({
    translatedText: 'Save',
    origin: 'memory',
  })
  expect(await alone({ source: 'en', target: 'es', text: 'campaign' })).toEqual({
    translatedText: 'campaña',
    origin: 'memory',
  })
  expect(await alone({ source: 'en', target: 'en', text: 'Save' })).toEqual({
    translatedText: 'Save',
    origin: 'none',
  })
})

test('R303 a configured service translates unknown texts', async () => {
  const asked: unknown[] = []
  const translateUrl = await serviceThat((request, response) => {
    let body = ''
    request.on('data', chunk => (body += chunk))
    request.on('end', () => {
      asked.push([request.url, JSON.parse(body)])
      response.end(JSON.stringify({ translatedText: 'Cottage cheese balls' }))
    })
  })
  const translate = createTranslator(texts, { translateUrl, translateKey: 'key' })
  expect(await translate({ source: 'de', target: 'en', text: 'Speichern' })).toMatchObject({
    origin: 'memory',
  })
  expect(await translate({ source: 'de', target: 'en', text: 'Quarkbällchen' })).toEqual({
    translatedText: 'Cottage cheese balls',
    origin: 'service',
  })
  expect(asked).toEqual([
    ['/translate', { q: 'Quarkbällchen', source: 'de', target: 'en', format: 'text', api_key: 'key' }],
  ])
})

test('R303 continues without a service that fails', async () => {
  const translateUrl = await serviceThat((_request, response) => response.writeHead(500).end('down'))
  const translate = createTranslator(texts, { translateUrl, translateKey: undefined })
  expect(await translate({ source: 'de', target: 'en', text: 'Die Kampagne' })).toEqual({
    translatedText: 'Die campaign',
    origin: 'glossary',
  })
})
