import type { Template } from 'liquidjs'
import { isOutput, plainPath, walkTemplates } from './walk-templates.ts'

/** Finds outputs of recipient values that end in `raw`: unescaped HTML from the data. */
export function findUnescaped(templates: readonly Template[]): { offset: number; path: string }[] {
  const found: { offset: number; path: string }[] = []
  for (const template of walkTemplates(templates)) {
    if (!isOutput(template)) continue
    const { filters } = template.value
    // normalise-liquid.ts writes `escape | raw` for an already escaped value.
    if (filters.at(-1)?.name !== 'raw' || escaping.has(filters.at(-2)?.name ?? '')) continue
    const path = plainPath(template.value)
    if (path?.[0] === 'member' || path?.[0] === 'data') {
      found.push({ offset: template.token.begin, path: path.join('.') })
      if (found.length >= maxFound) break
    }
  }
  return found
}

/** Limit of reported findings. */
const maxFound = 20

const escaping = new Set(['escape', 'escape_once', 'newline_to_br'])
