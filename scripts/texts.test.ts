import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readTexts } from '../apps/console/emit-texts.ts'
import { shellTextDependencies, textDependencies } from '../apps/console/src/texts/text-dependencies.ts'
import { z } from 'zod'
import { actions } from '../packages/contract/src/action-list.ts'
import { resources } from '../packages/contract/src/resource-list.ts'
import { faultTexts } from '../packages/contract/src/faults.ts'
import { mailFaults } from '../packages/contract/src/mail-faults.ts'
import { textKey } from '../apps/console/src/shell/i18n/text-of-fault.ts'
import { usedTexts } from './used-texts.ts'

/** Keys that no source names, each with who wants it. What nobody says does not belong here: it is deleted. */
const wantedByOthers = new Set([
  // A text of the specification (R141) that selects say in the kit's own words.
  'misc.not_found',
  // The audit log names the field of a change after its object, which no resource of the contract is.
  'platform.setting.fields.audit_days',
  // Columns of an import's error file, written by the server.
  'error_file.row',
  'error_file.reason',
  'error_file.column',
])

const textFiles = [
  'apps/console/src/{shell/i18n,features/*}/texts/en.json',
  'packages/contract/src/texts/en.json',
]

/** Inputs that the forms of campaigns and recurring campaigns share. */
const sharedInputs = 'shell/sending'

type Tree = { [key: string]: string | Tree }

const [en = {}, de = {}, es = {}] = ['en', 'de', 'es'].map(language => flatten(readConsoleTexts(language)))
const stems = new Set(Object.keys(en).flatMap(key => [key, stemOf(key)]))
/** The top-level keys of each feature, and of those texts that are always there. */
const headsOf = readHeads()
const others = [
  ['German', de],
  ['Spanish', es],
] as const

const used = globSync(['apps/console/src/**/*.{ts,tsx}', 'packages/client/src/*.ts'])
  .filter(path => !/\.test\.|\/stories\//.test(path))
  .map(path => ({ path, ...usedTexts(path, readFileSync(path, 'utf8')) }))
const asked = new Set(used.flatMap(each => [...each.asked]))
const said = new Set([...asked, ...used.flatMap(each => [...each.strings]), ...keysOfFaults()])

test.each(others)('R007 %s has exactly the texts that English has', (_, texts) => {
  expect(Object.keys(en).filter(key => !(key in texts))).toEqual([])
  expect(Object.keys(texts).filter(key => !(key in en))).toEqual([])
})

test('R007 every text that a screen asks for is there', () => {
  const missing = used.flatMap(({ path, asked: keys }) =>
    [...keys].filter(key => !isThere(key)).map(key => `${path}: ${key}`),
  )
  expect(missing).toEqual([])
})

test('R007 the audit log has a label for every field of a record', () => {
  const missing = resources.flatMap(({ area, name, key, fields, readOnly }) =>
    Object.keys(fields).filter(
      field =>
        field !== key &&
        !readOnly.includes(field) &&
        !(`${area}.${name}.fields.${field}` in en) &&
        !(`logged_fields.${field}` in en),
    ),
  )
  expect(resources.length).toBeGreaterThan(30)
  expect(missing).toEqual([])
})

test('R007 the audit log has a label for every field of a call that logs nothing itself', () => {
  const logged = actions.filter(
    ({ method, reads, unlogged, queuesMail }) => method !== 'GET' && !reads && !unlogged && !queuesMail,
  )
  const fields = new Set(
    logged.flatMap(({ body }) => fieldsOf(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }))),
  )
  expect(fields.size).toBeGreaterThan(50)
  expect([...fields].filter(field => !(`logged_fields.${field}` in en)).toSorted()).toEqual([])
})

test('R007 every text that a screen asks for comes with it', () => {
  const late = used.flatMap(({ path, asked: keys }) => {
    // The audit log fetches the texts of all, and features that show columns name the audience.
    if (/\/(?:audit-log|column-label)\.tsx?$/.test(path)) return []
    // Checked below.
    if (path.includes(sharedInputs)) return []
    const has = arrivesWith(path)
    return [...keys].filter(key => isThere(key) && !isThere(key, has)).map(key => `${path}: ${key}`)
  })
  expect(late).toEqual([])
})

test('R007 features that show the columns of a datasource come with their names', () => {
  const showing = used.flatMap(({ path }) =>
    /\/column-(?:label|rule-fields)\.ts'/.test(readFileSync(path, 'utf8')) ? [featureOf(path)] : [],
  )
  const features = new Set(showing.filter(feature => feature !== undefined && feature !== 'audience'))
  expect([...features].filter(feature => !textDependencies[feature ?? '']?.includes('audience'))).toEqual([])
  expect(features.size).toBeGreaterThan(0)
})

test('R007 features with the inputs of campaigns come with the texts of these', () => {
  const inputs = used.filter(({ path }) => path.includes(sharedInputs))
  const showing = used.filter(
    ({ path }) => featureOf(path) !== undefined && readFileSync(path, 'utf8').includes(`${sharedInputs}/`),
  )
  const features = [...new Set(showing.map(({ path }) => path.replace(/(features\/[^/]+\/).*/, '$1')))]
  const late = features.flatMap(feature => {
    const has = arrivesWith(feature)
    return inputs.flatMap(({ asked: keys }) => [...keys].filter(key => !isThere(key, has)))
  })
  expect(late).toEqual([])
  expect(features.length).toBeGreaterThan(1)
})

test('R007 every text is said somewhere', () => {
  const patterns = [...said].filter(isPattern).map(patternOf)
  const isSaid = (key: string) => said.has(key) || patterns.some(pattern => pattern.test(key))
  expect(Object.keys(en).filter(key => ![key, stemOf(key)].some(isSaid) && !wantedByOthers.has(key))).toEqual(
    [],
  )
})

test.each(others)('R007 %s fills in the same values as English', (_, texts) => {
  const different = Object.entries(en).filter(([key, text]) => !sameValues(key, text, texts[key] ?? ''))
  expect(different.map(([key]) => key)).toEqual([])
})

test.each([['English', en], ...others] as const)(
  'R007 %s has both forms of every counted text',
  (_, texts) => {
    const counted = Object.keys(texts).filter(key => isCounted(key, texts[key] ?? ''))
    const missing = counted.flatMap(key => [`${stemOf(key)}_one`, `${stemOf(key)}_other`])
    expect([...new Set(missing)].filter(key => !(key in texts))).toEqual([])
  },
)

test.each(others)('R007 no sentence of %s was left in English', (_, texts) => {
  const left = Object.entries(en).filter(([key, text]) => text === texts[key] && wordsOf(text) > 3)
  expect(left.map(([key]) => key)).toEqual([])
})

test('a planted fault is found', () => {
  const source = `
    import { client as clients } from './x.ts'
    const label = (field: string) => t(\`fruit.\${field}.name\`)
    function Screen() {
      const text = (key: string, values = {}) => t(\`tree.\${key}\`, values)
      useFieldLabels(clients, fields)
      return [t(isOld ? 'old' : 'new'), label('apple'), text('height'), rows.map(label), i18n.t('a.' + b), t(unknown)]
    }
    const later = { title: 'screens.later' }
    const key = \`wood.\${kind}.hard\``
  expect([...usedTexts('x.ts', source).asked].toSorted()).toEqual([
    '*.client.fields.*',
    'a.*',
    'fruit.*.name',
    'fruit.apple.name',
    'new',
    'old',
    'tree.height',
  ])
  expect([...usedTexts('x.ts', source).strings]).toEqual(
    expect.arrayContaining(['screens.later', 'wood.*.hard']),
  )
})

/** Text keys of all fault codes. */
function keysOfFaults(): string[] {
  const codes = Object.entries(faultTexts).flatMap(([area, texts]) =>
    Object.keys(texts).map(name => `${area}.${name}`),
  )
  return [...codes, ...Object.keys(mailFaults)].flatMap(code => textKey(code) ?? [])
}

function isThere(key: string, within: ReadonlySet<string> = stems): boolean {
  if (!key.includes('*')) return within.has(key)
  const pattern = patternOf(key)
  return [...within].some(stem => pattern.test(stem))
}

/** The texts that are there when a source is at work: the first ones, its feature's and those that this needs. */
function arrivesWith(path: string): Set<string> {
  const feature = featureOf(path)
  const features =
    feature === undefined ? shellTextDependencies : [feature, ...(textDependencies[feature] ?? [])]
  const heads = ['first', ...features].flatMap(each => headsOf.get(each) ?? [])
  return new Set([...stems].filter(stem => heads.includes(stem.split('.')[0] ?? '')))
}

function featureOf(path: string): string | undefined {
  return /features\/([^/]+)\//.exec(path)?.[1]
}

/** The kit's texts have a test of their own (`packages/ui/src/i18n.test.ts`). */
function readConsoleTexts(language: string): Tree {
  const { kit: _, ...texts } = readTexts(language)
  return texts
}

function readHeads(): Map<string, string[]> {
  const heads = new Map<string, string[]>()
  for (const path of globSync(textFiles)) {
    const feature = /(?:features|packages)\/([^/]+)\//.exec(path)?.[1]
    const group = feature === undefined || feature === 'account' ? 'first' : feature
    const texts: Tree = JSON.parse(readFileSync(path, 'utf8'))
    heads.set(group, [...(heads.get(group) ?? []), ...Object.keys(texts)])
  }
  return heads
}

/** A key that is asked for with unknown words in it; of other strings those that begin like a key. */
function isPattern(text: string): boolean {
  return text.includes('*') && (asked.has(text) || /^(?:[a-z]\w+\.|\*\.\w)[\w.*-]+$/.test(text))
}

function patternOf(key: string): RegExp {
  return new RegExp(
    `^${key
      .split('*')
      .map(part => RegExp.escape(part))
      .join('[^.]+')}$`,
  )
}

/** The form for one may leave the number out: "Opened" beside "Opened, 3 times". */
function sameValues(key: string, english: string, text: string): boolean {
  const [ours, theirs] = [english, text].map(valuesOf)
  if (key.endsWith('_one')) for (const values of [ours, theirs]) values?.delete('count')
  return [...(ours ?? [])].toSorted().join() === [...(theirs ?? [])].toSorted().join()
}

function valuesOf(text: string): Set<string> {
  return new Set([...text.matchAll(/\{\{\s*-?\s*(\w+)/g)].map(([, name]) => name ?? ''))
}

/** Words, without addresses, digests and values to fill in. */
function wordsOf(text: string): number {
  return text.split(' ').filter(word => /^\p{L}{2,}[.,;:]?$/u.test(word)).length
}

/** "end_one" alone may be a name like any other. */
function isCounted(key: string, text: string): boolean {
  const stem = stemOf(key)
  return stem !== key && ((`${stem}_one` in en && `${stem}_other` in en) || text.includes('{{count'))
}

function stemOf(key: string): string {
  return key.replace(/_(one|other)$/, '')
}

/** Fields of an object, or of one of several. */
function fieldsOf({
  properties = {},
  anyOf = [],
  oneOf = [],
  allOf = [],
}: z.core.JSONSchema.BaseSchema): string[] {
  const parts = [...anyOf, ...oneOf, ...allOf]
  return [
    ...Object.keys(properties),
    ...parts.flatMap(part => (typeof part === 'object' ? fieldsOf(part) : [])),
  ]
}

function flatten(tree: Tree, prefix = ''): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tree).flatMap(([key, value]) =>
      typeof value === 'string'
        ? [[prefix + key, value]]
        : Object.entries(flatten(value, `${prefix}${key}.`)),
    ),
  )
}
