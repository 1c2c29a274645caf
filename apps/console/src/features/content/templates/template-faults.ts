import { ApiError } from '@emma/client/api-error.ts'
import type { CodeFault } from '@emma/ui/code/code-editor.tsx'
import { isFault, textOfFault } from '../../../shell/i18n/text-of-fault.ts'

/** A fault of a template in one of its fields, with its position if known. */
export interface TemplateFault {
  field: 'subject' | 'preheader' | 'body_long' | 'body_mjml' | 'body_text'
  /** Translated. */
  message: string
  /** Code and values of a finding. */
  reason?: string | undefined
  values?: Readonly<Record<string, unknown>> | undefined
  severity: 'error' | 'warning'
  line: number | null
  column: number | null
}

/** The faults of one field that have a position, for its editor. */
export function placedFaults(faults: readonly TemplateFault[], field: TemplateFault['field']): CodeFault[] {
  return faults.flatMap(({ field: of, message, severity, line, column }) =>
    of === field && line !== null ? [{ line, column: column ?? 1, message, severity }] : [],
  )
}

const fields = ['subject', 'preheader', 'body_long', 'body_mjml', 'body_text'] as const

/** Rendering errors with their positions. */
export function faultsOfError(error: unknown): TemplateFault[] {
  if (!(error instanceof ApiError)) return []
  return error.fields.flatMap(({ field, code, values, message }): TemplateFault[] => {
    const known = fields.find(name => name === field)
    if (!known) return []
    const { line, column, fault } = values ?? {}
    return [
      {
        field: known,
        message: isFault(fault) ? textOfFault(fault) : textOfFault({ code, values, message }),
        severity: 'error',
        line: typeof line === 'number' ? line : null,
        column: typeof column === 'number' ? column : null,
      },
    ]
  })
}

interface Warning {
  message: string
  reason?: string | undefined
  values?: Readonly<Record<string, unknown>> | undefined
  severity: 'error' | 'warning'
  [more: string]: unknown
}

/** Converts a warning of a rendered template. */
export function faultOfWarning(warning: Warning, isMjml: boolean): TemplateFault {
  const { message, reason, values, severity, part, line, column } = warning
  return {
    field: fieldOf(part, isMjml),
    message: textOfFault({ code: reason, values, message }),
    reason,
    values,
    severity,
    // Positions in HTML compiled from MJML do not match the source.
    line: typeof line === 'number' && !(isMjml && part === 'html') ? line : null,
    column: typeof column === 'number' ? column : null,
  }
}

function fieldOf(part: unknown, isMjml: boolean): TemplateFault['field'] {
  if (part === 'subject' || part === 'preheader') return part
  if (part === 'text') return 'body_text'
  return isMjml ? 'body_mjml' : 'body_long'
}
