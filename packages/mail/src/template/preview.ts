import { mailFault } from '../mail-fault.ts'
import { type MergeData, renderSegments, type Segments } from '../segments.ts'
import type { CompiledContent } from './compile-content.ts'
import { hasContent } from './counted-sections.ts'
import { type Part, RenderError, type Warning, warningOf } from './template-error.ts'
import { toText } from './value-text.ts'

export interface Preview {
  subject: string
  html: string
  text: string
  /** Findings of the compilation, and values missing for this recipient. */
  warnings: Warning[]
}

/** Renders a message for one recipient as it would be sent; faults of single parts become warnings. */
export function renderPreview(compiled: CompiledContent, data: MergeData): Preview {
  const warnings = [...compiled.warnings, ...emptyValues(compiled, data)]
  const render = (part: Part, segments: Segments) => {
    try {
      return renderSegments(segments, data)
    } catch (error) {
      if (!(error instanceof RenderError)) throw error
      warnings.push({ code: 'empty-part', severity: 'error', part, ...warningOf(error.fault) })
      return ''
    }
  }
  if (lacksContent(compiled, data))
    warnings.push({
      code: 'no-counted-section',
      severity: 'warning',
      part: 'html',
      ...warningOf(mailFault('content.no_counted_section')),
    })
  return {
    subject: render('subject', compiled.subject),
    html: render('html', compiled.html),
    text: render('text', compiled.text),
    warnings,
  }
}

/** A fault of the counted sections is a fault of the part, which is reported there. */
function lacksContent({ counted }: CompiledContent, data: MergeData): boolean {
  try {
    return counted !== null && !hasContent(counted, data)
  } catch (error) {
    if (error instanceof RenderError) return false
    throw error
  }
}

function emptyValues({ shown }: CompiledContent, data: MergeData): Warning[] {
  const paths = new Set<string>()
  for (const { root, name, hasDefault } of shown) {
    const record = recordOf(data, root)
    if (hasDefault || !record || !Object.hasOwn(record, name) || toText(record[name]).trim() !== '') continue
    paths.add(`${root}.${name}`)
  }
  return [...paths].map(path => ({
    code: 'empty-value',
    severity: 'warning',
    part: 'html',
    ...warningOf(mailFault('content.empty_value', { path, example: `{{ ${path} | default: "…" }}` })),
  }))
}

function recordOf(data: MergeData, root: string): Record<string, unknown> | undefined {
  switch (root) {
    case 'member':
      return data.member
    case 'campaign':
      return data.campaign
    case 'client':
      return data.client
    case 'data':
      return data.data
    default:
      return undefined
  }
}
