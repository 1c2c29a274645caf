import type { Template } from 'liquidjs'
import { isOutput, plainPath, walkTemplates } from './walk-templates.ts'

/** Outputs of a recipient's values that end in `raw`: HTML out of the data, wanted or not. */
export function findUnescaped(templates: readonly Template[]): { offset: number; path: string }[] {
  const found: { offset: number; path: string }[] = []
  for (const template of walkTemplates(templates)) {
    if (!isOutput(template)) continue
    const { filters } = template.value
    // `escape | raw` is how normalise-liquid.ts writes a value that is escaped already.
    if (filters.at(-1)?.name !== 'raw' || escaping.has(filters.at(-2)?.name ?? '')) continue
    const path = plainPath(template.value)
    if (path?.[0] === 'member' || path?.[0] === 'data') {
      found.push({ offset: template.token.begin, path: path.join('.') })
      if (found.length >= maxFound) break
    }
  }
  return found
}

/** More than anybody corrects at once. */
const maxFound = 20

const escaping = new Set(['escape', 'escape_once', 'newline_to_br'])
