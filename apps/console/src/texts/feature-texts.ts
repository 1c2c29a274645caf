import i18next, { loadNamespaces } from 'i18next'
import { featureNamespace } from './feature-namespace.ts'
import { mergeTexts, type Texts } from './merge-texts.ts'
import { textDependencies } from './text-dependencies.ts'

/** One chunk a feature and language. */
const files = import.meta.glob(['../features/*/texts/{en,de,es}.json', '!../features/account/texts/*.json'], {
  import: 'default',
})

const fetched = new Map<string, Promise<unknown>>()

/**
 * Fetches a feature's texts and those of others that its screens say, once; from then on they follow the language.
 * A feature without texts is none the worse.
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

/** Texts of all features: for screens that tell of the records of every area. */
export function fetchAllTexts(): Promise<void> {
  return fetchTexts(Object.keys(files).map(path => path.split('/')[2] ?? ''))
}

/** What i18next asks for when the language changes: the texts of every feature that was needed so far. */
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
  const texts = await files[`../features/${feature}/texts/${language}.json`]?.()
  return texts === undefined ? {} : mergeTexts({ [feature]: texts })
}
