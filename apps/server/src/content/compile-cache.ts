import { createHash } from 'node:crypto'
import type { CompileSource } from '@emma/core/content/compile-message.ts'
import type { Compilation } from '@emma/mail/template/compilation.ts'
import type { LanguageSource } from '@emma/mail/template/compile-languages.ts'
import type { ContentSource } from '@emma/mail/template/content-source.ts'
import { createBoundedMap } from '../bounded-map.ts'

/** Results are some kilobytes each: findings, links and names. */
const CACHED_COMPILATIONS = 300

/**
 * Caches compilations by everything that they depend on: content, placeholders, columns, brand, files. A template is
 * so compiled once when it is saved, and again only after one of these has changed.
 *
 * @returns a function that adds the cache to a compiler; all of them share it
 */
export function createCompileCache(most = CACHED_COMPILATIONS): (compile: CompileSource) => CompileSource {
  const results = createBoundedMap<Compilation>(most)

  return compile => async (clientId, source, languages) => {
    const compileNow = async () => {
      const result = await compile(clientId, source, languages)
      // A saved message has the links of its compilation, and the same result with them.
      const saved = { ...source, links: result.links }
      // Not awaited: it may be the entry that is being made.
      void results.get(keyOf(clientId, saved, languages), () => Promise.resolve(result))
      return result
    }
    const result = await results.get(keyOf(clientId, source, languages), compileNow)
    if (!result) throw new Error('A compilation has a result.')
    return result
  }
}

function keyOf(clientId: number, source: ContentSource, languages: readonly LanguageSource[]): string {
  const links = source.links?.map(({ name, url, is_active }) => [name, url, is_active])
  return createHash('sha256')
    .update(JSON.stringify([clientId, { ...source, links }, languages]))
    .digest('base64')
}
