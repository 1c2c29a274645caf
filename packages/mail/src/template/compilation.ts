import type { CompiledContent } from './compile-content.ts'
import type { AssembledLanguages, CompiledLanguages } from './compile-languages.ts'

/** What records and checks need of a compiled message. */
export type Compilation = Pick<CompiledContent, 'links' | 'warnings' | 'shown'>

export function compilationOf({
  content,
  others,
  links,
  warnings,
}: CompiledLanguages | AssembledLanguages): Compilation {
  return { links, warnings, shown: [content, ...others.values()].flatMap(each => each.shown) }
}
