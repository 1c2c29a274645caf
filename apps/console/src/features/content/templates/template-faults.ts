import { ApiError } from '@emma/client/api-error.ts'
import type { CodeFault } from '@emma/ui/code/code-editor.tsx'
import { translateContentFault } from '../../../shell/i18n/translate-error.ts'

/** Something wrong with a template, in the field it is in, and where it is known, at its place. */
export interface TemplateFault {
  field: 'subject' | 'preheader' | 'body_long' | 'body_mjml' | 'body_text'
  message: string
  severity: 'error' | 'warning'
  line: number | null
  column: number | null
}

/** The faults of one field that have a place, for its editor. */
export function placedFaults(faults: readonly TemplateFault[], field: TemplateFault['field']): CodeFault[] {
  return faults.flatMap(({ field: of, message, severity, line, column }) =>
    of === field && line !== null
      ? [{ line, column: column ?? 1, message: translateContentFault(message), severity }]
      : [],
  )
}

const fields = ['subject', 'preheader', 'body_long', 'body_mjml', 'body_text'] as const

/** What makes it impossible to render: `line 3, column 7: …` in the words of a field. */
export function faultsOfError(error: unknown): TemplateFault[] {
  if (!(error instanceof ApiError)) return []
  return error.fields.flatMap(({ field, message }): TemplateFault[] => {
    const known = fields.find(name => name === field)
    if (!known) return []
    const [, line, column, words] = /^line (\d+), column (\d+): ([\s\S]*)$/.exec(message) ?? []
    if (words === undefined) return [{ field: known, message, severity: 'error', line: null, column: null }]
    return [{ field: known, message: words, severity: 'error', line: Number(line), column: Number(column) }]
  })
}

interface Warning {
  message: string
  severity: 'error' | 'warning'
  [more: string]: unknown
}

/** What is told beside a mail that could be made. */
export function faultOfWarning(warning: Warning, isMjml: boolean): TemplateFault {
  const { message, severity, part, line, column } = warning
  return {
    field: fieldOf(part, isMjml),
    message,
    severity,
    // A place in the HTML that MJML made is no place in the source.
    line: typeof line === 'number' && !(isMjml && part === 'html') ? line : null,
    column: typeof column === 'number' ? column : null,
  }
}

function fieldOf(part: unknown, isMjml: boolean): TemplateFault['field'] {
  if (part === 'subject' || part === 'preheader') return part
  if (part === 'text') return 'body_text'
  return isMjml ? 'body_mjml' : 'body_long'
}
