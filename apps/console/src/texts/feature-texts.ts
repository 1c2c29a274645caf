import i18next, { loadNamespaces } from 'i18next'
import { featureNamespace } from './feature-namespace.ts'
import { mergeTexts, type Texts } from './merge-texts.ts'
import { textDependencies } from './text-dependencies.ts'

/** One chunk per feature and language. */
const files = import.meta.glob(
  [
    '../features/*/texts/{en,de,es}.json',
    '!../features/account/texts/*.json',
    // Reasons of rejected rows and cells of imports; the server writes them into error files too.
    '../../../../packages/contract/src/texts/{en,de,es}.json',
  ],
  { import: 'default' },
)

const fetched = new Map<string, Promise<unknown>>()

/**
 * Loads the texts of features and of their text dependencies once; later language changes reload them. Features without
 * texts are skipped.
 */
export async function fetchTexts(features: readonly string[]): Promise<void> {
  const needed = features.flatMap(feature => [feature, ...(textDependencies[feature] ?? [])])
  await Promise.all(
    needed.map(feature => {
      const texts = fetched.get(feature) ?? fetchFeature(feature)
      fetched.set(feature, texts)
      return texts
    }),
  )
}

/** Loads the texts of all features, for screens that show records of every area. */
export function fetchAllTexts(): Promise<void> {
  return fetchTexts(Object.keys(files).map(path => /\/(\w+)\/(?:src\/)?texts\//.exec(path)?.[1] ?? ''))
}

/**
 * Returns the texts of all features loaded so far, in another language; called by i18next when the language changes.
 */
export async function readFetchedTexts(language: string): Promise<Texts> {
  const texts = await Promise.all([...fetched.keys()].map(feature => textsOf(feature, language)))
  return Object.assign({}, ...texts)
}

async function fetchFeature(feature: string): Promise<void> {
  try {
    const [texts] = await Promise.all([
      Promise.all(
        i18next.languages.map(async language => ({ language, texts: await textsOf(feature, language) })),
      ),
      loadNamespaces(featureNamespace),
    ])
    for (const { language, texts: bundle } of texts)
      i18next.addResourceBundle(language, featureNamespace, bundle, true, false)
  } catch (error) {
    fetched.delete(feature)
    throw error
  }
}

async function textsOf(feature: string, language: string): Promise<Texts> {
  const folder = feature === 'contract' ? '../../../../packages/contract/src' : `../features/${feature}`
  const texts = await files[`${folder}/texts/${language}.json`]?.()
  return texts === undefined ? {} : mergeTexts({ [feature]: texts })
}
